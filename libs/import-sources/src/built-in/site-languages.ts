import { z } from 'zod';
import type { Match } from '../match/match.js';
import { readJson, type LimitedFetch } from './read-json.js';
import type { SiteRoot } from './site-root.js';

const namespace = 'pll/v1';
const languagesSchema = z
  .array(z.object({ slug: z.string(), is_default: z.boolean().optional().catch(undefined) }))
  .min(1)
  .max(200);

/**
 * Reads the languages of a site with the plugin Polylang, which has a public list of them. Other translation plugins
 * have none.
 */
export async function readLanguages(access: LimitedFetch, root: SiteRoot): Promise<Match['i18n']> {
  if (!root.namespaces.includes(namespace)) return undefined;
  const document = await readJson(access, root.addressOf(`/${namespace}/languages`));
  const parsed = languagesSchema.safeParse(document?.value);
  if (!parsed.success) return undefined;
  const locales = parsed.data.map(({ slug }) => slug);
  const defaultLocale = parsed.data.find((language) => language.is_default)?.slug ?? locales[0] ?? '';
  return { plugin: 'polylang', defaultLocale, locales };
}
