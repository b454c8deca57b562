import { literal } from '@quire/database';
import { recordsOf, type RecordSource } from '@quire/site-records';
import { Byline, BylineField, BylineGroup } from '../../bylines/index.js';
import { EntryByline, isOfByline } from '../../bylines/credits/index.js';
import { Comment } from '../../comments/index.js';
import { Revision } from '../../entries/revisions/index.js';
import {
  BlockType,
  BlockTypeVersion,
  Collection,
  Field,
  ReferenceLink,
  Relation,
} from '../../schema/index.js';
import { Menu, MenuItem } from '../../site/menus/index.js';
import { Redirect } from '../../site/redirects/index.js';
import { Section } from '../../site/sections/index.js';
import { Setting, settingKeys } from '../../site/settings/index.js';
import { Widget, WidgetArea } from '../../site/widgets/index.js';
import { Taxonomy, TaxonomyDefinition } from '../../taxonomies/definitions/index.js';
import { EntryTerm, Term, TermGroup } from '../../taxonomies/terms/index.js';
import type { CopiedCollection } from '../copied-collections.js';
import { entrySource, selectEntries } from './entry-source.js';
import { revisionData } from './revision-data.js';

/**
 * The records that this service owns, in the order of their kinds. Rows that name entries, relations or bylines which
 * no longer exist are left out: the site does not show them.
 * @param collections all of the site
 * @param options.comments whether comments are included
 */
export function recordSources(
  collections: readonly CopiedCollection[],
  { comments }: { comments: boolean },
): RecordSource[] {
  const isOfEntry = (column: string) => `t.${column} IN (${selectEntries(collections, 'id')})`;
  const isOfGroup = (column: string) =>
    `t.${column} IN (${selectEntries(collections, '_translation_group')})`;
  return [
    recordsOf('settings', Setting, { where: `t.key IN (${settingKeys.map(literal).join(', ')})` }),
    recordsOf('block_types', BlockType),
    recordsOf('block_type_versions', BlockTypeVersion),
    recordsOf('collections', Collection),
    recordsOf('fields', Field),
    recordsOf('relations', Relation),
    recordsOf('byline_fields', BylineField),
    recordsOf('byline_groups', BylineGroup, { where: isOfByline('t.id') }),
    recordsOf('bylines', Byline),
    recordsOf('taxonomies', Taxonomy),
    recordsOf('taxonomy_definitions', TaxonomyDefinition),
    recordsOf('term_groups', TermGroup),
    recordsOf('terms', Term),
    ...(collections.length > 0 ? [entrySource(collections)] : []),
    recordsOf('revisions', Revision, {
      where: isOfEntry('entry_id'),
      computed: { data: revisionData(collections) },
    }),
    recordsOf('entry_bylines', EntryByline, {
      where: `${isOfEntry('entry_id')} AND ${isOfByline('t.byline_group')}`,
    }),
    recordsOf('entry_terms', EntryTerm, { where: isOfGroup('entry_group') }),
    recordsOf('reference_links', ReferenceLink, {
      where: `t.relation_id IN (SELECT id FROM relations) AND ${isOfGroup('parent_group')} AND ${isOfGroup('child_group')}`,
    }),
    ...(comments ? [recordsOf('comments', Comment, { where: isOfEntry('content_id') })] : []),
    recordsOf('sections', Section),
    recordsOf('menus', Menu),
    recordsOf('menu_items', MenuItem),
    recordsOf('widget_areas', WidgetArea),
    recordsOf('widgets', Widget),
    recordsOf('redirects', Redirect),
  ];
}
