// A bot for Pitch Arena in JavaScript, made from the proto files alone.
//
//   npm ci && node bot.js --server localhost:7777 --name ann
//
// In CONFIG.toml: command = ["node", "bot.js"]. What it plays stands in strategy.js, what a stream
// is in connection.js and session.js, and all of it is explained in docs/any-language.md.

import { play } from "./connection.js";
import { readOptions } from "./options.js";
import { startAnew, startInstances } from "./processes.js";
import { choose } from "./strategy.js";

const options = readOptions(process.argv.slice(2), process.env);
if (options.instances > 1) process.exit(await startInstances(options));
const end = await play(options, choose);
process.exit(end.fresh ? await startAnew(options) : end.status);
