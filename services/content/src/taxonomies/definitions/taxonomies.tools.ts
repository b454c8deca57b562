import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { declareTool, idArgument, localeArgument, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { z } from 'zod';
import { SiteLocales } from '../../locales/index.js';
import { createTaxonomy } from './operations/create-taxonomy.js';
import { updateTaxonomy } from './operations/update-taxonomy.js';
import * as operations from './taxonomies.controller.js';
import { deleteTaxonomy, getTaxonomy, listTaxonomies } from './taxonomies.operations.js';
import { createTaxonomyBody, taxonomyParams, updateTaxonomyBody } from './taxonomies.schemas.js';

const name = taxonomyParams.shape.name.describe('Name of the taxonomy, from taxonomy_list');
const hierarchical = createTaxonomyBody.shape.hierarchical.describe(
  'Whether terms can have parents; one value for all locales',
);
const collections = createTaxonomyBody.shape.collections.describe(
  'Slugs of the collections whose entries have these terms; one list for all locales',
);
const target = (input: { name: string }) => ({ type: 'taxonomy' as const, id: input.name });

const list = declareTool(operations.list, {
  name: 'taxonomy_list',
  title: 'List Taxonomies',
  description:
    'Lists the taxonomies (categories, tags) of the site by name, each locale as a definition of its own. taxonomy_list_terms lists the terms of one.',
  annotations: { readOnlyHint: true },
  input: z.object({ locale: localeArgument('Only definitions of this locale; all if omitted') }),
});

const get = declareTool(operations.get, {
  name: 'taxonomy_get',
  title: 'Get Taxonomy Definition',
  description:
    'Returns the definition of a taxonomy: labels, collections, and whether its terms have parents.',
  annotations: { readOnlyHint: true },
  input: z.object({ name, locale: localeArgument('Locale; if omitted, the default, else the lowest code') }),
});

const create = declareTool(operations.create, {
  name: 'taxonomy_create',
  title: 'Create Taxonomy Definition',
  description:
    'Creates a taxonomy, or adds a locale to the taxonomy of this name, which keeps its hierarchical and collections: omit them then.',
  input: z.object({
    name: createTaxonomyBody.shape.name.describe('a-z, 0-9 and _, beginning with a letter, at most 63'),
    label: createTaxonomyBody.shape.label.describe('Title, in the plural'),
    labelSingular: createTaxonomyBody.shape.labelSingular.describe('Title of one term'),
    hierarchical,
    collections,
    locale: localeArgument('Locale; the default locale if omitted'),
    translationOf: idArgument('Id or translationGroup of the definition to translate').optional(),
  }),
  target,
});

const update = declareTool(operations.update, {
  name: 'taxonomy_update',
  title: 'Update Taxonomy Definition',
  description: 'Changes the given properties of a taxonomy: labels in one locale, the others in all locales.',
  input: z.object({
    name,
    locale: localeArgument('Locale of the labels; the one with the lowest code if omitted'),
    label: updateTaxonomyBody.shape.label.describe('Title, in the plural'),
    labelSingular: updateTaxonomyBody.shape.labelSingular.describe('Title of one term; null removes it'),
    hierarchical,
    collections,
  }),
  target,
});

const remove = declareTool(operations.remove, {
  name: 'taxonomy_delete',
  title: 'Delete Taxonomy Definition',
  description:
    'Deletes a taxonomy in all locales with its terms, and removes the terms from all entries. This cannot be undone.',
  annotations: { destructiveHint: true },
  input: z.object({ name }),
  target,
});

/** Tools of taxonomies (spec document 2, Taxonomies; contract 9). */
@Injectable()
export class TaxonomyTools {
  constructor(private readonly locales: SiteLocales) {}

  @Tool(list)
  async list(ctx: Context, { locale }: ToolInputOf<typeof list>) {
    return { taxonomies: await listTaxonomies(ctx, this.locales.of(ctx), locale) };
  }

  @Tool(get)
  async get(ctx: Context, input: ToolInputOf<typeof get>) {
    return { taxonomy: await getTaxonomy(ctx, this.locales.of(ctx), input, { isExact: true }) };
  }

  @Tool(create)
  async create(ctx: Context, input: ToolInputOf<typeof create>) {
    return { taxonomy: await createTaxonomy(ctx, this.locales.of(ctx), input) };
  }

  @Tool(update)
  async update(ctx: Context, { name: taxonomy, locale, ...changes }: ToolInputOf<typeof update>) {
    return {
      taxonomy: await updateTaxonomy(ctx, this.locales.of(ctx), { name: taxonomy, locale, update: changes }),
    };
  }

  @Tool(remove)
  remove(ctx: Context, input: ToolInputOf<typeof remove>) {
    return deleteTaxonomy(ctx, input.name);
  }
}
