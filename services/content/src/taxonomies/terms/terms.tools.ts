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
import { SiteLocales } from '../../locales/index.js';
import { taxonomyParams } from '../definitions/index.js';
import { createTerm } from './operations/create-term.js';
import { listTermPage } from './operations/list-term-page.js';
import * as operations from './terms.controller.js';
import { deleteTerm, listTermTranslations, updateTerm } from './terms.operations.js';
import { createTermBody, termParams, updateTermBody } from './terms.schemas.js';

const taxonomy = taxonomyParams.shape.name.describe('Name of the taxonomy, from taxonomy_list');
const termSlug = termParams.shape.slug.describe('Slug of the term, from taxonomy_list_terms');
const oneLocale = localeArgument('Locale of the term; the default, else the lowest code, if omitted');
const target = (input: { termSlug: string }) => ({ type: 'term' as const, id: input.termSlug });

const list = declareTool(operations.list, {
  name: 'taxonomy_list_terms',
  title: 'List Taxonomy Terms',
  description:
    'Lists the terms (categories, tags) of a taxonomy in the order that editors set, parents before their children. parentId is the translationGroup of the parent.',
  annotations: { readOnlyHint: true },
  input: z.object({
    taxonomy,
    ...pageArguments,
    locale: localeArgument('Only terms of this locale; all if omitted'),
  }),
});

const create = declareTool(operations.create, {
  name: 'taxonomy_create_term',
  title: 'Create Taxonomy Term',
  description:
    'Adds a term (category, tag) after the others of its parent, or with translationOf the same term in another locale.',
  input: z.object({
    taxonomy,
    label: createTermBody.shape.label.describe('Title'),
    slug: createTermBody.shape.slug.describe('Unique in taxonomy and locale; made from the label if omitted'),
    parentId: createTermBody.shape.parentId.describe('Id of the parent, in hierarchical taxonomies only'),
    description: createTermBody.shape.description.describe('Description'),
    locale: localeArgument('Locale; the default locale if omitted'),
    translationOf: idArgument('Id of the term to translate; it keeps its parent').optional(),
  }),
  target: (input) => ({ type: 'taxonomy', id: input.taxonomy }),
});

const update = declareTool(operations.update, {
  name: 'taxonomy_update_term',
  title: 'Update Taxonomy Term',
  description:
    'Renames or moves a term (category, tag): its texts in one locale, its parent in all locales. Below a new parent it is last.',
  input: z.object({
    taxonomy,
    termSlug,
    slug: updateTermBody.shape.slug.describe('New slug'),
    label: updateTermBody.shape.label.describe('Title'),
    parentId: updateTermBody.shape.parentId.describe('Id of the new parent; null for none'),
    description: updateTermBody.shape.description.describe('Description; "" removes it'),
    locale: oneLocale,
  }),
  target,
});

const remove = declareTool(operations.remove, {
  name: 'taxonomy_delete_term',
  title: 'Delete Taxonomy Term',
  description:
    'Deletes a term (category, tag) in one locale; with its last locale also from all entries. Move or delete its children first. This cannot be undone.',
  annotations: { destructiveHint: true },
  input: z.object({ taxonomy, termSlug, locale: oneLocale }),
  target,
});

const listTranslations = declareTool(operations.list, {
  name: 'taxonomy_term_translations',
  title: 'List Term Translations',
  description: 'Lists a term in all of its locales.',
  annotations: { readOnlyHint: true },
  input: z.object({ id: idArgument('Id of a term, or its translationGroup') }),
});

/** Tools of terms (spec document 2, Taxonomies; contract 9). */
@Injectable()
export class TermTools {
  constructor(private readonly locales: SiteLocales) {}

  @Tool(list)
  list(ctx: Context, { taxonomy: name, ...query }: ToolInputOf<typeof list>) {
    return listTermPage(ctx, this.locales.of(ctx), { name, ...query });
  }

  @Tool(create)
  async create(ctx: Context, { taxonomy: name, ...term }: ToolInputOf<typeof create>) {
    return { term: await createTerm(ctx, this.locales.of(ctx), { name, term }) };
  }

  @Tool(update)
  async update(ctx: Context, input: ToolInputOf<typeof update>) {
    const { taxonomy: name, termSlug: slug, locale, ...changes } = input;
    return { term: await updateTerm(ctx, this.locales.of(ctx), { name, slug, locale, update: changes }) };
  }

  @Tool(remove)
  remove(ctx: Context, { taxonomy: name, termSlug: slug, locale }: ToolInputOf<typeof remove>) {
    return deleteTerm(ctx, this.locales.of(ctx), { name, slug, locale });
  }

  @Tool(listTranslations)
  listTranslations(ctx: Context, { id }: ToolInputOf<typeof listTranslations>) {
    return listTermTranslations(ctx, id);
  }
}
