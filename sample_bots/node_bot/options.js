// The command line of a bot: where to connect and as whom. The same names as the Python SDK's.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const USAGE = `usage: node bot.js --server HOST:PORT --name NAME [options]
  --token TEXT, --token-file FILE   the entrant's secret
  --tls                             speak TLS, trust what this machine trusts
  --ca FILE                         speak TLS, trust these certificates (PEM)
  --client-certificate FILE, --client-key FILE
                                    what the bot shows of itself where the server demands it
  --server-name NAME                name in the server's certificate, if it is another
  --instances N                     how many processes to start (1)
  --capacity N                      questions that may be out at once (64)
  --patience SECONDS                how long to try a server that does not answer (60)
Each may come from the environment: PITCH_SERVER, PITCH_NAME, PITCH_TOKEN, PITCH_TOKEN_FILE,
PITCH_TLS=1, PITCH_CA, PITCH_CLIENT_CERTIFICATE, PITCH_CLIENT_KEY, PITCH_SERVER_NAME.`;

const NAMES = [
  "server", "name", "token", "token-file", "ca", "client-certificate", "client-key",
  "server-name", "instances", "capacity", "patience",
];

/** What was asked for; ends the program with status 2 where it is wrong. */
export function readOptions(args, environment) {
  try {
    return read(args, environment);
  } catch (error) {
    console.error(`${USAGE}\nerror: ${error.message}`);
    process.exit(2);
  }
}

function read(args, environment) {
  const options = { tls: { type: "boolean" }, help: { type: "boolean", short: "h" } };
  for (const name of NAMES) options[name] = { type: "string" };
  const { values } = parseArgs({ args, options });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const given = (name) =>
    values[name] ?? environment[`PITCH_${name.toUpperCase().replaceAll("-", "_")}`] ?? "";
  if (!/^.+:\d+$/.test(given("server"))) {
    throw new Error(`--server: expected HOST:PORT, got '${given("server")}'`);
  }
  if (!given("name")) throw new Error("no name: give --name, the entrant's name");
  const token = given("token-file") ? readFileSync(given("token-file"), "utf8").trim() : given("token");
  delete environment.PITCH_TOKEN; // out of sight of whatever the bot starts or prints
  return {
    server: given("server"),
    name: given("name"),
    token,
    tls: readTls(values, given),
    // Those that were started so start no more.
    instances: environment.PITCH_INSTANCE ? 1 : number("instances", values.instances ?? "1", 1, 256),
    capacity: number("capacity", values.capacity ?? "64", 1, 4096),
    patience: number("patience", values.patience ?? "60", 0, 86400),
  };
}

/** What TLS needs, undefined in clear. Whoever names a file of TLS means TLS. */
function readTls(values, given) {
  const file = (name) => (given(name) ? readFileSync(given(name)) : null);
  const tls = {
    ca: file("ca"),
    certificate: file("client-certificate"),
    key: file("client-key"),
    serverName: given("server-name"),
  };
  const asked = values.tls || !["", "0"].includes(given("tls"));
  if (!tls.certificate !== !tls.key) {
    throw new Error("--client-certificate and --client-key belong together: give both");
  }
  return asked || tls.ca || tls.certificate ? tls : undefined;
}

function number(name, text, low, high) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new Error(`--${name}: expected ${low} to ${high}, got '${text}'`);
  }
  return value;
}
