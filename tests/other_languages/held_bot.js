// Thinks about questions of odd chance until one of even chance comes; "13" it fails at.

import { play } from "../../sample_bots/node_bot/connection.js";
import { readOptions } from "../../sample_bots/node_bot/options.js";

let release = [];

async function choose({ chance }) {
  if (chance === "13") throw new Error("at thirteen");
  if (Number(chance) % 2) await new Promise((resolve) => release.push(resolve));
  else release.forEach((each) => each());
  return { bid: 2 };
}

const end = await play(readOptions(process.argv.slice(2), process.env), choose);
process.exit(end.status);
