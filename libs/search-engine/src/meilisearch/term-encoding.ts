/**
 * Encodes terms for Meilisearch, whose own tokenizer would split and change them: as lower-case ASCII letters, which it
 * does not change. `a` to `x` represent themselves, every other character is `z` and five letters, and each term ends
 * with `y`, so that two terms never read as one and only a prefix matches as a prefix.
 */
const digits = 'abcdefghijklmnopqrstuvwx';
const digitCount = 5;
const escape = 'z';
const end = 'y';

/** The longest word in Meilisearch has 250 letters; an encoded title with its mark is below. */
const titleCharacters = 48;

function number(character: string): string {
  let rest = character.codePointAt(0) ?? 0;
  let code = '';
  for (let place = 0; place < digitCount; place += 1) {
    code = (digits[rest % digits.length] ?? '') + code;
    rest = Math.floor(rest / digits.length);
  }
  return code;
}

const written = (text: string) =>
  /^[a-x]*$/.test(text) ? text : text.replace(/[^a-x]/gsu, (character) => escape + number(character));

/** Encodes a whole term. */
export const encodeTerm = (term: string): string => written(term) + end;

/** Encodes the prefix of a term. */
export const encodePrefix = (prefix: string): string => written(prefix);

/**
 * Encodes a title key (see `titleKey`), or a prefix of one, as one word: its first characters, in their order. No term
 * has the same first letters, so that neither finds the other.
 */
export const encodeTitle = (key: string): string =>
  end + Array.from(key).slice(0, titleCharacters).map(number).join('');
