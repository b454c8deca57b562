import { compileStrings } from '@internationalized/string-compiler';

const catalogue = /\/locales\/[\w-]+\.json$/;
/** Query of the import of a catalogue as the pseudo-locale en-XA. */
const pseudoQuery = 'pseudo';

/** Letters with accents, so that texts outside the catalogue stand out in tests. */
const accented = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', A: 'Á', E: 'É', I: 'Í', O: 'Ó', U: 'Ú' };

/**
 * A longer text with accents, as translations are often longer than English. Names of variables and the syntax of
 * plurals are unchanged: they are within an odd number of braces.
 * @param {string} message
 */
function toPseudoLocale(message) {
  let depth = 0;
  const text = message.replace(/[{}aeiou]/gi, (letter) => {
    if (letter === '{') depth += 1;
    if (letter === '}') depth -= 1;
    return depth % 2 === 0 ? (accented[letter] ?? letter) : letter;
  });
  return `[${text} ${'·'.repeat(Math.ceil(message.length / 3))}]`;
}

/**
 * Compiles catalogues of ICU messages to functions, so that the policy needs no `eval`. The pseudo-locale is made
 * from the English catalogue.
 * @returns {import('vite').Plugin}
 */
export function messages() {
  return {
    name: 'messages',
    enforce: 'pre',
    transform(code, id) {
      const [path = '', query] = id.split('?');
      if (!catalogue.test(path)) return undefined;
      const texts = /** @type {Record<string, string>} */ (JSON.parse(code));
      const translated =
        query === pseudoQuery
          ? Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, toPseudoLocale(text)]))
          : texts;
      const compiled = compileStrings(translated).replace(/^module\.exports =/, 'export default');
      return { code: compiled, map: null, moduleType: 'js' };
    },
  };
}
