/**
 * Groups JSON texts of records by one of their properties, in the order of their first appearance.
 * @param property a text
 */
export function groupRecords(records: readonly string[], property: string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const text of records) {
    const value = String((JSON.parse(text) as Record<string, unknown>)[property]);
    const group = groups.get(value);
    if (group) group.push(text);
    else groups.set(value, [text]);
  }
  return groups;
}
