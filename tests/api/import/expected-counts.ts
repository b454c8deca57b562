import { groundTruth, type ExampleName } from './support.js';

export type Counts = Record<string, number>;

export const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/** Items of an example export by type; those without a type are posts. */
export function itemsByType(name: ExampleName): Counts {
  const counts: Counts = {};
  for (const [type, count] of Object.entries(groundTruth[name].byType)) {
    const typeName = type === '(none)' ? 'post' : type;
    counts[typeName] = (counts[typeName] ?? 0) + count;
  }
  return counts;
}

/** Assignments in an example export of terms that are imported; in `edge-cases.xml` some of them are repeated. */
export function assignmentsOf(name: ExampleName): number {
  if (name === 'edge-cases.xml') return 9;
  const ignored = new Set(['(none)', 'nav_menu', 'post_format', 'wp_theme']);
  const domains = Object.entries(groundTruth[name].assignments).filter(([domain]) => !ignored.has(domain));
  return sum(domains.map(([, count]) => count));
}
