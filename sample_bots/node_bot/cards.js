// Cards as the wire has them: suit * 13 + rank - 2, the Low Joker 52, the High Joker 53.

export const LOW_JOKER = 52;
export const HIGH_JOKER = 53;
const JACK = 11;
const GAME_VALUES = { 10: 10, 11: 1, 12: 2, 13: 3, 14: 4 };

/** 2 to 14, an ace; 0 for a joker. */
export const rankOf = (card) => (card < LOW_JOKER ? (card % 13) + 2 : 0);

/** The printed suit: 0 to 3 for clubs, diamonds, hearts, spades; -1 for a joker. */
export const suitOf = (card) => (card < LOW_JOKER ? Math.floor(card / 13) : -1);

/** The other jack of trump's colour: clubs go with spades, diamonds with hearts. */
export const offJackOf = (trump) => (3 - trump) * 13 + JACK - 2;

export function isTrump(card, trump, variant) {
  return card >= LOW_JOKER || suitOf(card) === trump || (variant.off_jack && card === offJackOf(trump));
}

/** The strength of a trump: A K Q J, off-jack, High Joker, Low Joker, T down to 2. */
export function trumpStrength(card, trump) {
  if (card === HIGH_JOKER) return 10.6;
  if (card === LOW_JOKER) return 10.3;
  return card === offJackOf(trump) && suitOf(card) !== trump ? 10.8 : rankOf(card);
}

/** What takes a trick: any trump before the suit led, that before all the rest. */
export function power(card, trump, led, variant) {
  if (isTrump(card, trump, variant)) return 100 + trumpStrength(card, trump);
  return suitOf(card) === led ? rankOf(card) : 0;
}

/** About how many points go to the side that takes this card. */
export function valueOf(card, trump, variant) {
  let value = variant.game === "GAME_POINT_COUNT" ? 0.03 * (GAME_VALUES[rankOf(card)] ?? 0) : 0;
  if (!isTrump(card, trump, variant)) return value;
  const rank = rankOf(card);
  if (rank === 0 || rank === JACK) value += 1;
  if (rank === 3 && variant.trey) value += 3;
  if (rank === 2 && variant.low === "LOW_TAKEN") value += 0.8;
  if (rank === 10 && variant.game === "GAME_POINT_TEN") value += 1;
  return value;
}
