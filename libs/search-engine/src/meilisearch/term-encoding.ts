/**
 * How terms are written for Meilisearch, whose own tokenizer would cut and change them: in lower-case ASCII letters,
 * which it leaves alone. `a` to `x` stand for themselves, every other character is `z` and five letters, and each term
 * ends with `y`, so that two terms never read as one and only what means to be a beginning matches as one.
 */
const digits = 'abcdefghijklmnopqrstuvwx';
const digitCount = 5;
const escape = 'z';
const end = 'y';

/** The longest word that Meilisearch keeps has 250 letters; a title's mark and code stay below. */
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

/** A whole term. */
export const encodeTerm = (term: string): string => written(term) + end;

/** The beginning of a term. */
export const encodePrefix = (prefix: string): string => written(prefix);

/**
 * A title key (see `titleKey`), or the beginning of one, as one word: its first characters, in an order that is theirs.
 * No term begins as it does, so that neither finds the other.
 */
export const encodeTitle = (key: string): string =>
  end + Array.from(key).slice(0, titleCharacters).map(number).join('');
