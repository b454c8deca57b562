import { keyOf } from '@quire/site-package';
import type { Plan } from '../../plan/plan.js';

/** The settings that the site keeps by decision of the user, whatever the package has. */
export function keptKeys({ decisions }: Pick<Plan, 'decisions'>): string[] {
  const { siteTitle, siteTagline } = decisions;
  return [...(siteTagline === 'target' ? ['tagline'] : []), ...(siteTitle === 'target' ? ['title'] : [])];
}

/** The records of settings without those that the site keeps. @param lines JSON texts */
export function withoutKept(lines: readonly string[], plan: Pick<Plan, 'decisions'>): string[] {
  const kept = keptKeys(plan);
  return kept.length === 0 ? [...lines] : lines.filter((line) => !kept.includes(settingKeyOf(line)));
}

/**
 * The records of settings that the site has after the import, in the order of their keys: those of the package, and
 * the kept ones between them.
 * @param page `after` and `last` are the keys of the package's last records before and in the page; without `last` it
 *   is the end, which has the rest of the kept ones
 */
export function withKept(
  lines: readonly string[],
  kept: readonly string[],
  { after, last }: { after: string | undefined; last: string | undefined },
): string[] {
  const inserted = kept.filter((line) => {
    const key = settingKeyOf(line);
    return (after === undefined || isAfter(key, after)) && (last === undefined || !isAfter(key, last));
  });
  return [...lines, ...inserted].sort((a, b) => compare(settingKeyOf(a), settingKeyOf(b)));
}

/** The key of a setting. @param line JSON text of its record */
export function settingKeyOf(line: string): string {
  return keyOf('settings', JSON.parse(line) as Record<string, unknown>);
}

const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const isAfter = (a: string, b: string) => compare(a, b) > 0;
