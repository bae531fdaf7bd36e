// A bot's session: deliveries in, answers out. No socket is seen from here.
//
// A question is complete in itself, so nothing is kept of a game but what its table's opening told.

/** The tables of a bot and the questions that it thinks about. */
export class Session {
  #tables = new Map(); // openings by table id
  #pending = new Set(); // ids of questions that are still to be answered
  #answers = [];

  /** `choose(question, table)` gives an Action, or a promise of one; `send` takes answers. */
  constructor(choose, send) {
    this.choose = choose;
    this.send = send;
  }

  /** Takes everything in, in the order that the protocol says. */
  receive(delivery) {
    for (const opening of delivery.openings) this.#tables.set(opening.table_id, opening);
    for (const notice of delivery.notices) this.#note(notice);
    for (const id of delivery.withdrawn_questions) this.#pending.delete(id);
    for (const id of delivery.closed_tables) this.#tables.delete(id);
    for (const question of delivery.questions) this.#ask(question);
  }

  /** Forgets everything: after a reconnect the server tells all that is open, and asks again. */
  reconnected() {
    this.#tables.clear();
    this.#pending.clear();
    this.#answers = [];
  }

  /** Notices are for people here; a kind that this bot does not know has no event. */
  #note(notice) {
    if (notice.event === "fault") {
      console.error(`fault: ${notice.fault.kind}: ${notice.fault.message}`);
    }
  }

  async #ask(question) {
    const id = question.question_id;
    const table = this.#tables.get(question.table_id);
    if (!table || this.#pending.has(id)) return; // never opened here, or thought about already
    this.#pending.add(id);
    const begun = performance.now();
    let outcome;
    try {
      outcome = { action: await this.choose(question, table) };
    } catch (error) {
      console.error(error);
      outcome = { failure: { message: String(error), traceback: error?.stack ?? "" } };
    }
    if (!this.#pending.delete(id)) return; // withdrawn meanwhile: nobody waits for it
    const thinking_time_us = Math.round((performance.now() - begun) * 1000);
    this.#answers.push({ question_id: id, ...outcome, thinking_time_us });
    if (this.#answers.length === 1) setImmediate(() => this.#flush());
  }

  /** Sends what has gathered in this turn of the event loop as one frame. */
  #flush() {
    const answers = this.#answers;
    this.#answers = [];
    if (answers.length > 0) this.send(answers);
  }
}
