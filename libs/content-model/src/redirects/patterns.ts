/** One segment of a source: a text, `[name]`, or `[...rest]`. */
export type Segment =
  { kind: 'literal'; text: string } | { kind: 'one'; token: string } | { kind: 'rest'; token: string };

/** Values of a pattern's placeholders by their token, `[slug]` or `[...rest]`. */
export type Captured = ReadonlyMap<string, string>;

/** Paths may have more segments than patterns, for a rest. */
export const maxPatternSegments = 30;

const placeholder = /^\[(\.\.\.)?([A-Za-z_]\w{0,62})\]$/;
const placeholders = /\[(?:\.\.\.)?[A-Za-z_]\w{0,62}\]/g;
const bracket = /[[\]]/;

/** Whether a path has brackets: placeholders, well-formed or not. */
export function hasPlaceholders(path: string): boolean {
  return bracket.test(path);
}

/** The segments of a source's path. Other brackets stay text; `patternProblem` rejects them. */
export function segmentsOf(path: string): Segment[] {
  return path
    .slice(1)
    .split('/')
    .map((text): Segment => {
      const match = placeholder.exec(text);
      if (!match) return { kind: 'literal', text };
      return { kind: match[1] ? 'rest' : 'one', token: text };
    });
}

/** @returns the fault of a pattern's path (contract 23), or null. */
export function patternProblem(path: string): string | null {
  const segments = segmentsOf(path);
  if (segments.length > maxPatternSegments)
    return `must have at most ${maxPatternSegments} segments to be a pattern`;
  if (segments.some((segment) => segment.kind === 'literal' && bracket.test(segment.text)))
    return 'takes [name] or [...rest] as a whole segment only';
  if (segments.slice(0, -1).some(({ kind }) => kind === 'rest'))
    return 'takes [...rest] as the last segment only';
  const names = tokensOf(segments).map((token) => token.replace('...', ''));
  return new Set(names).size < names.length ? 'must not repeat a name' : null;
}

/** The placeholders in a destination's path that its source lacks. */
export function unknownPlaceholders(path: string, destination: string): string[] {
  const known = new Set(tokensOf(segmentsOf(path)));
  const named = destination.split(/[?#]/, 1)[0]?.match(placeholders) ?? [];
  return named.filter((token) => !known.has(token));
}

/** The form in which patterns are compared: without the names of placeholders. */
export function patternKey(path: string): string {
  const anonymous = { one: '[]', rest: '[...]' };
  return segmentsOf(path)
    .map((segment) => `/${segment.kind === 'literal' ? segment.text : anonymous[segment.kind]}`)
    .join('');
}

/** The prefix of every path that a pattern matches: its literal segments up to the first placeholder. */
export function patternPrefix(path: string): string {
  const segments = segmentsOf(path);
  const first = segments.findIndex(({ kind }) => kind !== 'literal');
  return ['', ...segments.slice(0, first).map((segment) => ('text' in segment ? segment.text : '')), ''].join(
    '/',
  );
}

/** The prefixes of patterns that may match a path. */
export function prefixesOf(path: string): string[] {
  const prefixes: string[] = [];
  let end = path.indexOf('/');
  while (end !== -1 && prefixes.length < maxPatternSegments) {
    prefixes.push(path.slice(0, end + 1));
    end = path.indexOf('/', end + 1);
  }
  return prefixes;
}

/** Replaces placeholders by their values; in a query, values are escaped. */
export function fillPlaceholders(text: string, captured: Captured): string {
  const queryStart = text.search(/[?#]/);
  return text.replace(placeholders, (token, offset: number) => {
    const value = captured.get(token);
    if (value === undefined) return token;
    return queryStart !== -1 && offset > queryStart ? value.replace(/[&+=;]/g, encodeURIComponent) : value;
  });
}

/** The text of a destination before its first placeholder; the whole text without one. */
export function textBeforePlaceholders(destination: string): string {
  return destination.split(placeholders, 1)[0] ?? '';
}

function tokensOf(segments: readonly Segment[]): string[] {
  return segments.flatMap((segment) => ('token' in segment ? [segment.token] : []));
}
