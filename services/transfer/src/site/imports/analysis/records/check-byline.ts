import { isSlug } from '@quire/content-model';
import type { SiteRecord } from '@quire/site-package';
import { isAllowedSeedUrl } from '@quire/values';
import { z } from 'zod';
import type { RecordFault } from './parse-record.js';

type CustomFields = Readonly<Record<string, unknown>>;

/** Custom fields with links that bylines may have. */
export const maxUrlFields = 1000;

const validation = z.strictObject({ options: z.array(z.string()).optional() }).nullable();

/** Checks whether this installation can have a custom field of bylines. */
export function checkBylineField(record: SiteRecord<'byline_fields'>): RecordFault[] {
  const faults: RecordFault[] = [];
  if (!isSlug(record.slug)) faults.push(violation('A slug has another form than slugs have', 'slug'));
  if (!validation.safeParse(record.validation).success)
    faults.push(violation('A custom field of bylines has unknown rules', 'validation'));
  return faults;
}

/** Checks the links of a byline, which pages render. @param urlFields slugs of custom fields with links */
export function checkCustomLinks(customFields: CustomFields, urlFields: readonly string[]): RecordFault[] {
  return urlFields.flatMap((slug) => {
    const url = Object.hasOwn(customFields, slug) ? customFields[slug] : '';
    if (typeof url !== 'string' || url === '' || isAllowedSeedUrl(url)) return [];
    return [violation('A custom field of a byline has an unsafe URL', `customFields.${slug}`)];
  });
}

function violation(message: string, path: string): RecordFault {
  return { code: 'value_constraint_violation', message, path };
}
