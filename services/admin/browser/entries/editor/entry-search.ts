/** In the place of an id in the address of a new entry. */
export const newEntryId = 'new';

/** What the address of the editor has beside the entry. */
export interface EntrySearch {
  /** Names the text of a new entry in the journal. */
  draft?: string | undefined;
  /** Of a new entry. */
  locale?: string | undefined;
}

const draftPattern = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const localePattern = /^[\w-]{1,35}$/;

/** Reads the search parameters of the editor's address. Invalid ones are dropped. */
export function parseEntrySearch({ draft, locale }: Record<string, unknown>): EntrySearch {
  return {
    ...(typeof draft === 'string' && draftPattern.test(draft) && { draft }),
    ...(typeof locale === 'string' && localePattern.test(locale) && { locale }),
  };
}
