// This very program as other processes: several at once, or anew as one that remembers nothing.

import { spawn } from "node:child_process";

/** Starts the program again in this one's place; its exit status. */
export const startAnew = (options) => started(options, {});

/** Starts as many of the program as were asked for; the worst exit status of theirs. */
export async function startInstances(options) {
  const numbers = [...Array(options.instances).keys()];
  const ended = numbers.map((number) => started(options, { PITCH_INSTANCE: String(number) }));
  return Math.max(...(await Promise.all(ended)));
}

/** A process of this program, which ends with this one; the token stands in its environment. */
function started(options, more) {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    env: { ...process.env, PITCH_TOKEN: options.token, ...more },
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on("exit", (status) => resolve(status ?? 1)));
}
