import { memberTexts } from '@quire/json';

/** The JSON that a value of `data` was sent as; undefined for a field that was not sent. */
export type SubmittedText = (fieldSlug: string) => string | undefined;

/**
 * The texts of the values in a body. It is searched when the first is asked for, so not where a collection has no json
 * field.
 */
export function submittedTexts(bodyText: string | undefined): SubmittedText | undefined {
  if (bodyText === undefined) return undefined;
  let texts: ReadonlyMap<string, string> | undefined;
  return (fieldSlug) => (texts ??= memberTexts(bodyText, 'data')).get(fieldSlug);
}
