// What the bot plays: a few rules of thumb for every variant, chosen among what is legal.

import { isTrump, power, rankOf, suitOf, trumpStrength, valueOf } from "./cards.js";

const FIRST_PLACES = { 14: 1, 13: 0.6, 12: 0.3 }; // what the highest trumps are good for

/** The Action for a question; `table` is its TableOpening. */
export function choose({ view, options }, { variant }) {
  if (options.plays.length > 0) return { play: choosePlay(view, options.plays, variant) };
  if (options.discard) return { discard: { cards: chooseDiscard(view, options.discard, variant) } };
  if (options.trumps.length > 0) {
    return { trump: best(options.trumps, (suit) => pointsSeen(view, suit, variant)) };
  }
  if (options.take) return { take: true };
  return chooseCall(view, options, variant);
}

/** The lowest bid that the hand is worth; else a pass. */
function chooseCall(view, options, variant) {
  const points = Math.max(...[0, 1, 2, 3].map((suit) => pointsSeen(view, suit, variant)));
  const lowest = options.bids.find((bid) => bid < 100); // 101 and 102 are smudge and moon
  if (lowest !== undefined && (points >= lowest || !options.pass)) return { bid: lowest };
  return options.pass ? { pass: true } : { bid: options.bids[0] };
}

/** The points that the side may expect with this suit as trump. */
function pointsSeen(view, suit, variant) {
  const trumps = view.hand_cards.filter((card) => isTrump(card, suit, variant));
  if (trumps.length === 0) return 0;
  const places = trumps.map((card) => FIRST_PLACES[rankOf(card)] ?? 0.12);
  const worth = trumps.map((card) => 0.5 * valueOf(card, suit, variant));
  return 0.4 + sum(places) + sum(worth);
}

/** All required cards, and of the optional ones those that are no trumps, lowest first. */
function chooseDiscard(view, { required_cards, optional_cards, minimum, maximum }, variant) {
  const trump = view.trump ?? -1;
  const keeping = (card) =>
    isTrump(card, trump, variant) ? 100 + trumpStrength(card, trump) : rankOf(card);
  const lowestFirst = [...optional_cards].sort((one, other) => keeping(one) - keeping(other));
  const useless = optional_cards.filter((card) => keeping(card) < 14).length;
  const least = minimum - required_cards.length;
  const most = maximum - required_cards.length;
  return [...required_cards, ...lowestFirst.slice(0, Math.min(Math.max(useless, least), most))];
}

function choosePlay(view, plays, variant) {
  const trump = view.trump ?? best([0, 1, 2, 3], (suit) => pointsSeen(view, suit, variant));
  const start = sum(view.trick_sizes);
  const cards = view.played_cards.slice(start);
  const seats = view.played_seats.slice(start);
  const value = (card) => valueOf(card, trump, variant);
  if (cards.length === 0) return chooseLead(plays, trump, value, variant);

  const led = isTrump(cards[0], trump, variant) ? trump : suitOf(cards[0]);
  const strength = (card) => power(card, trump, led, variant);
  const winning = best(cards, strength);
  const winner = seats[cards.indexOf(winning)];
  const last = cards.length === variant.players - 1;
  // What is worth least, and of that the weakest: what to part with.
  const cheapest = best(plays, (card) => -value(card) - strength(card) / 1000);
  if (winner % variant.sides === view.seat % variant.sides) {
    const safe = last || strength(winning) >= 113;
    return safe ? best(plays, (card) => value(card) - strength(card) / 1000) : cheapest;
  }
  const takers = plays.filter((card) => strength(card) > strength(winning));
  if (takers.length === 0) return cheapest;
  if (last) {
    const richest = best(takers, (card) => value(card) - strength(card) / 1000);
    return sum(cards.map(value)) + value(richest) > 0.05 ? richest : cheapest;
  }
  const strongest = best(takers, strength);
  return strength(strongest) >= 112 && sum(cards.map(value)) > 0.05 ? strongest : cheapest;
}

/** A trump that holds, else the card that gives away least. */
function chooseLead(plays, trump, value, variant) {
  const trumps = plays.filter((card) => isTrump(card, trump, variant));
  const high = trumps.filter((card) => rankOf(card) >= 12);
  if (high.length > 0) return best(high, rankOf);
  const aces = plays.filter((card) => rankOf(card) === 14);
  if (aces.length > 0) return aces[0];
  return best(plays, (card) => -value(card) - (trumps.includes(card) ? 0.05 : 0) - rankOf(card) / 1000);
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** The first element with the highest score. */
function best(elements, score) {
  return elements.reduce((top, each) => (score(each) > score(top) ? each : top));
}
