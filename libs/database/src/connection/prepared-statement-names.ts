/** Maximum number of named texts; each costs every connection some memory for its plan. */
const maxPreparedStatements = 300;

const names = new Map<string, string>();
let count = 0;

/**
 * The name of the prepared statement for a text, on all connections of this process. The least recently used text loses
 * its name. Names are never reused, and connections have a maximum age, which frees their plans.
 */
export function preparedStatementName(text: string): string {
  const known = names.get(text);
  if (known !== undefined) {
    // The map is in the order of use: the first key is the least recently used.
    names.delete(text);
    names.set(text, known);
    return known;
  }
  const oldest = names.size >= maxPreparedStatements ? names.keys().next() : undefined;
  if (oldest?.value !== undefined) names.delete(oldest.value);
  const name = `q${(count += 1)}`;
  names.set(text, name);
  return name;
}
