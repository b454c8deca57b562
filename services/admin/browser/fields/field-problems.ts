import { maxIndexedBytes, validationMessages } from '@quire/content-model';
import type { Field } from '../api/bootstrap.js';
import type { FieldIssue } from '../entries/document/field-store.js';
import type { MessageKey, Translate } from '../locales/messages.js';

type RulesOfField = Pick<Field, 'type' | 'validation'>;

/** Sentences for reasons, and the limit of the field's rules that they name. */
const sentences: Readonly<Record<string, readonly [MessageKey, string?]>> = {
  required: ['issue.required'],
  type: ['issue.type'],
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
  characters: ['issue.characters'],
  slug: ['issue.slug'],
  taken: ['issue.taken'],
  unknown_field: ['issue.unknownField'],
};

/** Sentences for values of another type than the field's. */
const typeSentences: Partial<Record<string, MessageKey>> = {
  number: 'issue.number',
  integer: 'issue.integer',
};

/** Of a text that is longer than the index of its field, which is no rule of the field. */
const indexMessage = validationMessages.maxIndexed(maxIndexedBytes).message;

/** What a sentence needs of a field, or of a column of its rows. */
interface Described {
  type: string;
  validation: Record<string, unknown> | null;
}

/** Sentences that say what is wrong with the value of a field. */
export function problemsOf(t: Translate, field: RulesOfField, issues: readonly FieldIssue[]): string[] {
  return [...new Set(issues.map((issue) => problemOf(t, field, issue)))];
}

/** The sentence of an issue; of one in the rows of a field also where it is. */
function problemOf(t: Translate, field: RulesOfField, issue: FieldIssue): string {
  const [, row, slug] = issue.path.split('.');
  if (field.type !== 'repeater' || row === undefined) return sentenceOf(t, field, issue);
  const column = columnsOf(field).find((each) => each.slug === slug);
  const problem = sentenceOf(t, { type: column?.type ?? '', validation: null }, issue);
  const name = column?.label ?? slug ?? '';
  return t('issue.inRow', { row: Number(row) + 1, name, problem });
}

function columnsOf({ validation }: RulesOfField): { slug: string; label: string; type: string }[] {
  const columns = validation?.['subFields'];
  return Array.isArray(columns) ? (columns as { slug: string; label: string; type: string }[]) : [];
}

function sentenceOf(
  t: Translate,
  { type, validation }: Described,
  { code = '', message }: FieldIssue,
): string {
  if (message === indexMessage) return t('issue.maxBytes', { limit: maxIndexedBytes });
  const typeSentence = code === 'type' ? typeSentences[type] : undefined;
  const [key, limitName] = typeSentence === undefined ? (sentences[code] ?? []) : [typeSentence];
  const limit = limitName === undefined ? undefined : validation?.[limitName];
  if (key === undefined || (limitName !== undefined && typeof limit !== 'number'))
    return message === undefined ? t('issue.other') : t('issue.server', { message });
  return t(key, typeof limit === 'number' ? { limit } : {});
}
