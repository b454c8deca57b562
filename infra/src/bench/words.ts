/** Texts of an artificial language, with the frequencies of words in real texts. */
const vocabularySize = 5_000;
const syllables = [
  'ba',
  'co',
  'di',
  'fu',
  'ga',
  'he',
  'jo',
  'ka',
  'lu',
  'mi',
  'no',
  'pe',
  'qua',
  'ro',
  'si',
  'tu',
];

/** The words of an artificial language: the later, the rarer. */
const vocabulary = Array.from({ length: vocabularySize }, (_, number) => {
  let word = '';
  for (let rest = number + 16; rest > 0; rest = Math.floor(rest / 16)) word += syllables[rest % 16];
  return word;
});

export type Random = () => number;

/** The same numbers in every run. */
export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** A word, with the frequencies of texts. @param from the index of the commonest word */
export const wordOf = (random: Random, from = 0) =>
  vocabulary[Math.min(vocabularySize - 1, from + Math.floor((vocabularySize - from) * random() ** 3))] ?? '';
/** Some words. */
export const textOf = (random: Random, count: number) =>
  Array.from({ length: count }, () => wordOf(random)).join(' ');
