/** Texts whose plans are kept at a time; each costs every connection some memory. */
const maxPreparedStatements = 300;

const names = new Map<string, string>();
let made = 0;

/**
 * The name under which connections of this process keep the plan of a text. A text that was not used for long loses its
 * name; names are never given twice, and connections are renewed now and then, which frees what they kept.
 */
export function preparedStatementName(text: string): string {
  const known = names.get(text);
  if (known !== undefined) {
    // The map is in the order of use: the first is the one that was not used for longest.
    names.delete(text);
    names.set(text, known);
    return known;
  }
  const oldest = names.size >= maxPreparedStatements ? names.keys().next() : undefined;
  if (oldest?.value !== undefined) names.delete(oldest.value);
  const name = `q${(made += 1)}`;
  names.set(text, name);
  return name;
}
