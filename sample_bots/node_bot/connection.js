// The stream of a bot and its life across lost connections: hello, frames, farewell, coming back.

import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";
import { Session } from "./session.js";

const PROTOCOL = 1;
const FIRST_PAUSE = 100; // milliseconds, then twice as long each time
const LONGEST_PAUSE = 5_000;
const CHANNEL = {
  "grpc.enable_http_proxy": 0,
  "grpc.enable_retries": 0, // coming back is this file's
  "grpc.max_receive_message_length": 64 << 20,
  "grpc.keepalive_time_ms": 20_000, // so that a dead connection is found out
  "grpc.keepalive_timeout_ms": 20_000,
};

/** Plays until the server says farewell: { status, fresh }. `choose` is as in session.js. */
export async function play(options, choose) {
  const client = connect(options);
  let call;
  const session = new Session(choose, (answers) => call.write({ answers: { answers } }));
  let sessionKey = "";
  let since = Date.now();
  let wait = FIRST_PAUSE;
  for (;;) {
    call = client.Play();
    const end = await stream(call, session, options, sessionKey);
    call.cancel();
    if (end.message !== undefined) {
      console.error(end.message);
      return { status: end.status, fresh: end.fresh };
    }
    if (end.sessionKey) {
      sessionKey = end.sessionKey;
      since = Date.now();
      wait = FIRST_PAUSE;
      console.error(`connection lost: ${end.lost}; coming back`);
    } else if (Date.now() - since > options.patience * 1000) {
      console.error(`gave up on ${options.server}: ${end.lost}`);
      return { status: 1, fresh: false };
    }
    await pause(wait);
    wait = Math.min(2 * wait, LONGEST_PAUSE);
    session.reconnected();
  }
}

/** One stream from hello to its end: { status, message, fresh }, or { lost, sessionKey }. */
function stream(call, session, options, earlierKey) {
  return new Promise((resolve) => {
    let sessionKey = "";
    call.on("error", (error) => resolve({ lost: error.message, sessionKey }));
    call.on("end", () => resolve({ lost: "the server ended the stream", sessionKey }));
    call.on("data", (frame) => {
      if (frame.event === "welcome") {
        sessionKey = frame.welcome.session_key;
        const { tournament, instance } = frame.welcome;
        const { server, name } = options;
        console.error(`connected to ${server} as '${name}', instance ${instance + 1}, for '${tournament}'`);
      } else if (frame.event === "delivery") {
        session.receive(frame.delivery);
      } else if (frame.event === "farewell") {
        const { message, come_back_fresh: fresh } = frame.farewell;
        resolve({ status: 0, message, fresh });
      } else if (frame.event === "refusal") {
        const { reason, message } = frame.refusal;
        resolve({ status: 1, message: `refused (${reason}): ${message}`, fresh: false });
      } // any other frame is one that this bot does not know: it is ignored
    });
    call.write({ hello: hello(options, earlierKey) });
  });
}

function hello(options, sessionKey) {
  return {
    protocol: PROTOCOL,
    sdk: "pitch-node-bot 0.1.0",
    name: options.name,
    token: options.token,
    capacity: options.capacity,
    session_key: sessionKey,
    notices: false, // of hands and games that end; faults are always told
  };
}

function connect(options) {
  const protos = ["proto", "../../proto"]
    .map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
    .find((folder) => existsSync(folder));
  if (!protos) throw new Error("the folder proto/ of Pitch Arena is not there: copy it beside bot.js");
  const definition = protoLoader.loadSync("pitch/wire/v1/referee.proto", {
    includeDirs: [protos],
    keepCase: true, // names as in the proto files
    longs: String, // ids have 64 bits, a JavaScript number 53
    enums: String,
    defaults: true,
    oneofs: true, // `event` names the field that is set
  });
  const { RefereeService } = grpc.loadPackageDefinition(definition).pitch.wire.v1;
  const { tls, server } = options;
  if (!tls) return new RefereeService(server, grpc.credentials.createInsecure(), CHANNEL);
  const credentials = grpc.credentials.createSsl(tls.ca, tls.key, tls.certificate);
  const named = tls.serverName ? { "grpc.ssl_target_name_override": tls.serverName } : {};
  return new RefereeService(server, credentials, { ...CHANNEL, ...named });
}
