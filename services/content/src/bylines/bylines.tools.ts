import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import {
  declareTool,
  idArgument,
  localeArgument,
  pageArguments,
  Tool,
  type ToolInputOf,
} from '@quire/mcp-tools';
import { z } from 'zod';
import { AuthClient } from '../clients/index.js';
import { SiteLocales } from '../locales/index.js';
import * as operations from './bylines.controller.js';
import {
  createByline,
  deleteByline,
  getByline,
  listBylines,
  listBylineTranslations,
  updateByline,
} from './bylines.operations.js';
import { createBylineBody, listBylinesQuery } from './bylines.schemas.js';

// The operations serve the panel and have the scope of its routes; the tools have those of content (spec document 2).
const readScope = 'content:read' as const;
const writeScope = 'content:write' as const;

const { shape: body } = createBylineBody;
const { shape: query } = listBylinesQuery;
const id = idArgument('Id of the byline, from byline_list');
const target = (input: { id: string }) => ({ type: 'byline' as const, id: input.id });

const slug = body.slug.describe('Slug, unique in its locale: a-z, 0-9 and -, beginning with a letter');
const displayName = body.displayName.describe('Name shown to readers');
const properties = {
  bio: body.bio.describe('Biography'),
  avatarMediaId: body.avatarMediaId.describe('Id of an image, from media_list'),
  websiteUrl: body.websiteUrl.describe('http or https URL'),
  userId: body.userId.describe('Id of the user who is credited; one byline a user and locale'),
  isGuest: z.boolean().nullish().describe('Whether the author is a guest; excludes userId'),
};
const customFieldsDescription = 'Values of the custom byline fields by slug; null clears one';

const list = declareTool(operations.list, {
  name: 'byline_list',
  title: 'List Bylines',
  description:
    'Lists bylines (author and contributor credits), newest first. Their ids credit authors in content_create and content_update.',
  annotations: { readOnlyHint: true },
  scope: readScope,
  input: z.object({
    search: query.search.describe('Part of the name or slug, in upper or lower case'),
    isGuest: z.boolean().optional().describe('Only guests, or only others'),
    userId: query.userId.describe('Only bylines of this user'),
    locale: localeArgument('Only bylines of this locale; all locales if omitted'),
    ...pageArguments,
  }),
});

const get = declareTool(operations.get, {
  name: 'byline_get',
  title: 'Get Byline',
  description: 'Returns one byline (name, biography, website of an author) with its custom fields.',
  annotations: { readOnlyHint: true },
  scope: readScope,
  input: z.object({ id }),
});

const listTranslations = declareTool(operations.translations, {
  name: 'byline_translations',
  title: 'List Byline Translations',
  description: 'Lists a byline in all its locales.',
  annotations: { readOnlyHint: true },
  scope: readScope,
  input: z.object({ id: idArgument('Id of a byline, or its translationGroup') }),
});

const create = declareTool(operations.create, {
  name: 'byline_create',
  title: 'Create Byline',
  description:
    'Creates a byline, or a translation of one, which takes avatar, website and user of its source unless they are given. Returns the byline; pass its id in bylines of content_create or content_update.',
  annotations: { destructiveHint: false },
  scope: writeScope,
  input: z.object({
    slug,
    displayName,
    ...properties,
    locale: body.locale.nullable().describe('Locale; the default locale if omitted'),
    translationOf: body.translationOf.nullable().describe('Id of the byline to translate; requires locale'),
    customFields: body.customFields.nullable().describe(customFieldsDescription),
  }),
});

const update = declareTool(operations.update, {
  name: 'byline_update',
  title: 'Update Byline',
  description: 'Changes properties of a byline; omitted ones keep their values and null clears one.',
  scope: writeScope,
  input: z.object({
    id,
    slug: slug.optional(),
    displayName: displayName.optional(),
    ...properties,
    customFields: body.customFields.describe(customFieldsDescription),
  }),
  target,
});

const remove = declareTool(operations.remove, {
  name: 'byline_delete',
  title: 'Delete Byline',
  description:
    'Deletes a byline. Its credits are removed from all entries, which stay; a translation only leaves its group. This cannot be undone.',
  annotations: { destructiveHint: true },
  scope: writeScope,
  input: z.object({ id }),
  target,
});

/** Tools of bylines (spec document 2, Bylines; contract 5). */
@Injectable()
export class BylineTools {
  constructor(
    private readonly locales: SiteLocales,
    private readonly users: AuthClient,
  ) {}

  @Tool(list)
  list(ctx: Context, input: ToolInputOf<typeof list>) {
    return listBylines(ctx, this.locales.of(ctx), input);
  }

  @Tool(get)
  get(ctx: Context, { id }: ToolInputOf<typeof get>) {
    return getByline(ctx, id);
  }

  @Tool(listTranslations)
  listTranslations(ctx: Context, { id }: ToolInputOf<typeof listTranslations>) {
    return listBylineTranslations(ctx, id);
  }

  @Tool(create)
  create(
    ctx: Context,
    { isGuest, locale, translationOf, customFields, ...input }: ToolInputOf<typeof create>,
  ) {
    const byline = {
      ...input,
      isGuest: isGuest ?? undefined,
      locale: locale ?? undefined,
      translationOf: translationOf ?? undefined,
      customFields: customFields ?? undefined,
    };
    return createByline(ctx, { locales: this.locales.of(ctx), users: this.users }, byline, {
      hasOneByline: true,
    });
  }

  @Tool(update)
  update(ctx: Context, { id, isGuest, ...properties }: ToolInputOf<typeof update>) {
    const update = { ...properties, isGuest: isGuest === null ? false : isGuest };
    return updateByline(ctx, this.users, { id, update }, { hasOneByline: true });
  }

  @Tool(remove)
  async remove(ctx: Context, { id }: ToolInputOf<typeof remove>) {
    await deleteByline(ctx, id);
    return { deleted: id };
  }
}
