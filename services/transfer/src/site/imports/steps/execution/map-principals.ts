import { recordDefinitions, type RecordKind } from '@quire/site-package';
import type { Plan } from '../../plan/plan.js';

/**
 * Replaces the users of the exported site by those of this one, and by null where none is mapped.
 * @param line JSON text of a record
 * @returns the text as it is for kinds that name no users
 */
export function mapPrincipals(
  kind: RecordKind,
  line: string,
  { principalMappings }: Pick<Plan['decisions'], 'principalMappings'>,
): string {
  const { principals } = recordDefinitions[kind];
  if (principals.length === 0) return line;
  const record = JSON.parse(line) as Record<string, unknown>;
  for (const property of principals) {
    const id = record[property];
    record[property] =
      typeof id === 'string' && Object.hasOwn(principalMappings, id) ? principalMappings[id] : null;
  }
  return JSON.stringify(record);
}
