import { generateSlug } from '@quire/content-model';
import type { EntryDocument } from '../document/entry-document.js';
import { slugField } from '../document/entry-fields.js';

const { key: slugKey } = slugField;
/** Numbers that are tried after a slug that other entries have. */
const maxSuffix = 20;

/** The slug of a title. @returns undefined for a title without letters, whose slug the server makes */
export function slugOf(title: unknown): string | undefined {
  if (typeof title !== 'string' || title.trim() === '') return undefined;
  try {
    return generateSlug(title);
  } catch {
    return undefined;
  }
}

/** Whether a slug is that of a title, with or without a number after it. */
export function isSlugOf(slug: unknown, title: unknown): boolean {
  const suggested = slugOf(title);
  if (slug === null || slug === undefined) return true;
  if (suggested === undefined || typeof slug !== 'string') return false;
  return (
    slug === suggested || /^-\d{1,4}$/.test(slug.startsWith(suggested) ? slug.slice(suggested.length) : '')
  );
}

export interface SlugSuggestionOptions {
  document: EntryDocument;
  /** The field that names the entry. */
  titleKey: string;
  /** Whether the entry has ever been published: links lead to its slug then. */
  wasPublished: () => boolean;
}

/** Keeps the slug of an entry that was never published the one of its title, until the user changes the slug. */
export class SlugSuggestion {
  readonly #options: SlugSuggestionOptions;
  readonly #unsubscribe: (() => void)[];
  #follows: boolean;
  #isSetting = false;
  #suffix = 0;

  constructor(options: SlugSuggestionOptions) {
    this.#options = options;
    const { document, titleKey } = options;
    this.#follows = isSlugOf(this.#slug.value, document.getSnapshot(titleKey).value);
    this.#unsubscribe = [
      document.onEdit((key) => this.#edited(key)),
      document.subscribe(slugKey, () => this.#checked()),
    ];
  }

  dispose(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  get #slug() {
    return this.#options.document.getSnapshot(slugKey);
  }

  #edited(key: string): void {
    const { titleKey, wasPublished } = this.#options;
    if (key === slugKey && !this.#isSetting) this.#follows = false;
    if (key !== titleKey || !this.#follows || wasPublished()) return;
    this.#suffix = 0;
    this.#suggest();
  }

  /** Another entry has the suggested slug. */
  #checked(): void {
    const isTaken = this.#slug.issues.some(({ code }) => code === 'taken');
    if (!isTaken || !this.#follows || this.#suffix >= maxSuffix || this.#options.wasPublished()) return;
    this.#suffix += 1;
    this.#suggest();
  }

  #suggest(): void {
    const { document, titleKey } = this.#options;
    const slug = slugOf(document.getSnapshot(titleKey).value);
    if (slug === undefined) return;
    this.#isSetting = true;
    document.set(slugKey, this.#suffix === 0 ? slug : `${slug}-${this.#suffix}`);
    this.#isSetting = false;
  }
}
