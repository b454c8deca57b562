import { recordDefinitions, type RecordKind } from '@quire/site-package';
import type { Plan } from '../../plan/plan.js';
import { mapPrincipals } from './map-principals.js';

/**
 * The JSON text of a record for the site, with mapped users. Numbers are written as ECMAScript writes them: the
 * database reads 1.0 as no integer, and 1e-400 as no number.
 * @param line text of the record in the package
 */
export function writtenText(
  kind: RecordKind,
  line: string,
  decisions: Pick<Plan['decisions'], 'principalMappings'>,
): string {
  const hasPrincipals = recordDefinitions[kind].principals.length > 0;
  return hasPrincipals ? mapPrincipals(kind, line, decisions) : JSON.stringify(JSON.parse(line));
}
