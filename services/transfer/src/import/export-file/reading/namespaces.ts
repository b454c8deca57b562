/** The URI of each namespace prefix of `rss` and `channel`; the default namespace has the prefix ''. */
export type Namespaces = Readonly<Record<string, string>>;

/** The vocabularies of an export (2.1), each under the prefix that this code names it by. */
const vocabularies: readonly { prefix: string; uri: RegExp }[] = [
  { prefix: 'wp', uri: /^https?:\/\/wordpress\.org\/export\/\d+\.\d+\/?$/ },
  { prefix: 'excerpt', uri: /^https?:\/\/wordpress\.org\/export\/\d+\.\d+\/excerpt\/?$/ },
  { prefix: 'content', uri: /^https?:\/\/purl\.org\/rss\/1\.0\/modules\/content\/?$/ },
  { prefix: 'dc', uri: /^https?:\/\/purl\.org\/dc\/elements\/1\.1\/?$/ },
];

/** Enough for all names of real files; a file of invented names does not fill the memory. */
const maxCachedNames = 2_000;
const cachedNames = new WeakMap<Namespaces, Map<string, string | null>>();

/**
 * The namespaces in scope within an element.
 * @param attributes of the element
 * @param outer the scope around it; returned as it is if the element declares none
 */
export function withDeclarations(
  attributes: Readonly<Record<string, string>>,
  outer: Namespaces,
): Namespaces {
  const declared: [string, string][] = [];
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'xmlns') declared.push(['', value.trim()]);
    else if (name.startsWith('xmlns:')) declared.push([name.slice('xmlns:'.length), value.trim()]);
  }
  return declared.length === 0 ? outer : Object.fromEntries([...Object.entries(outer), ...declared]);
}

/**
 * Resolves a qualified name by its namespace, not by its prefix.
 * @param namespaces the scope of the element
 * @param fileDefault the default namespace of `channel`, whose elements are those of RSS
 * @returns `wp:x`, `excerpt:x`, `content:x`, `dc:x`, `x` for an element of RSS; null for a foreign element
 */
export function resolveName(qualified: string, namespaces: Namespaces, fileDefault: string): string | null {
  let names = cachedNames.get(namespaces);
  if (names === undefined) cachedNames.set(namespaces, (names = new Map()));
  const cached = names.get(qualified);
  if (cached !== undefined) return cached;
  const resolved = resolve(qualified, namespaces, fileDefault);
  if (names.size < maxCachedNames) names.set(qualified, resolved);
  return resolved;
}

/** The URI of a prefix, or undefined if it is not bound. */
export function uriOf(prefix: string, namespaces: Namespaces): string | undefined {
  return Object.hasOwn(namespaces, prefix) ? namespaces[prefix] : undefined;
}

function resolve(qualified: string, namespaces: Namespaces, fileDefault: string): string | null {
  const colon = qualified.indexOf(':');
  if (colon === -1) return (uriOf('', namespaces) ?? '') === fileDefault ? qualified : null;
  const uri = uriOf(qualified.slice(0, colon), namespaces);
  const vocabulary = uri === undefined ? undefined : vocabularies.find((known) => known.uri.test(uri));
  return vocabulary === undefined ? null : `${vocabulary.prefix}:${qualified.slice(colon + 1)}`;
}
