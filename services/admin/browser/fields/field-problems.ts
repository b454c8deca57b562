import type { Field } from '../api/bootstrap.js';
import type { FieldIssue } from '../entries/document/field-store.js';
import type { MessageKey, Translate } from '../locales/messages.js';

type RulesOfField = Pick<Field, 'type' | 'validation'>;

/** Sentences for reasons, and the limit of the field's rules that they name. */
const sentences: Readonly<Record<string, readonly [MessageKey, string?]>> = {
  required: ['issue.required'],
  min_length: ['issue.minLength', 'minLength'],
  max_length: ['issue.maxLength', 'maxLength'],
  pattern: ['issue.pattern'],
  min: ['issue.min', 'min'],
  max: ['issue.max', 'max'],
  option: ['issue.option'],
  url: ['issue.url'],
  datetime: ['issue.datetime'],
  min_items: ['issue.minItems', 'minItems'],
  max_items: ['issue.maxItems', 'maxItems'],
  slug: ['issue.slug'],
  taken: ['issue.taken'],
  unknown_field: ['issue.unknownField'],
};

/** Sentences that say what is wrong with the value of a field. */
export function problemsOf(t: Translate, field: RulesOfField, issues: readonly FieldIssue[]): string[] {
  return [...new Set(issues.map((issue) => sentenceOf(t, field, issue)))];
}

function sentenceOf(
  t: Translate,
  { type, validation }: RulesOfField,
  { code = '', message }: FieldIssue,
): string {
  if (code === 'type' && type === 'integer') return t('issue.integer');
  if (code === 'type' && type === 'number') return t('issue.number');
  const [key, limitName] = sentences[code] ?? [];
  const limit = limitName === undefined ? undefined : validation?.[limitName];
  if (key === undefined || (limitName !== undefined && typeof limit !== 'number'))
    return message === undefined ? t('issue.other') : t('issue.server', { message });
  return t(key, typeof limit === 'number' ? { limit } : {});
}
