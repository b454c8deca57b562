import { describe, expect, it } from '@jest/globals';
import { completeFieldDefinition, type FieldDefinition } from '@quire/content-model';
import type { SearchRow } from './search-documents.repository.js';
import { searchShape } from './search-shape.js';
import { viewsOf } from './search-views.js';

const field = (slug: string): FieldDefinition => ({
  ...completeFieldDefinition({ slug, label: slug, type: 'string' }),
  searchable: true,
});
const shape = searchShape(null, [field('title'), field('body'), field('note')]);
const row = (more: Partial<SearchRow>): SearchRow => ({
  id: '01ABC',
  slug: 'live',
  _locale: 'en',
  _status: 'published',
  _isScheduled: false,
  _draft: null,
  title: 'Live',
  body: 'live body',
  note: null,
  ...more,
});
const statusesOf = (more: Partial<SearchRow>) => viewsOf(row(more), shape).map(({ statuses }) => statuses);

describe('the views of an entry', () => {
  const staged = { title: 'Staged', body: 'staged body' };

  it.each<[string, Partial<SearchRow>, string[][]]>([
    ['a draft', { _status: 'draft' }, [['draft', 'all']]],
    ['a scheduled entry', { _status: 'scheduled', _isScheduled: true }, [['scheduled', 'all']]],
    ['a published entry', {}, [['published', 'all']]],
    ['one whose schedule is pending', { _isScheduled: true }, [['published', 'scheduled', 'all']]],
    ['one with a staged draft', { _draft: staged }, [['published'], ['draft'], ['all']]],
    [
      'one with both',
      { _draft: staged, _isScheduled: true },
      [['published'], ['draft', 'scheduled'], ['all']],
    ],
  ])('of %s have each status once', (_, more, statuses) => {
    expect(statusesOf(more)).toEqual(statuses);
  });

  it('have the edited text of an unpublished entry', () => {
    const [view] = viewsOf(row({ _status: 'draft', _draft: { ...staged, _slug: 'staged' } }), shape);
    expect(view).toMatchObject({ slug: 'staged', title: 'Staged', fields: { body: 'staged body' } });
  });

  it('have the live, the staged, and both texts of a published entry with a staged draft', () => {
    const views = viewsOf(row({ _draft: { ...staged, note: 'new' }, note: 'old' }), shape);
    expect(views.map(({ slug, title, fields }) => [slug, title, fields])).toEqual([
      ['live', 'Live', { body: 'live body', note: 'old' }],
      ['live', 'Staged', { body: 'staged body', note: 'new' }],
      ['live', 'Staged', { body: 'staged body\nlive body', note: 'new\nold', title: 'Live' }],
    ]);
  });

  it('do not repeat text that is both live and staged, and leave out cleared text', () => {
    const [, draft, all] = viewsOf(row({ _draft: { title: 'Live' }, note: 'kept' }), shape);
    expect(draft).toMatchObject({ title: 'Live', fields: {} });
    expect(all).toMatchObject({ title: 'Live', fields: { body: 'live body', note: 'kept' } });
    expect(viewsOf(row({ _draft: { title: 'Live', body: 'live body' } }), shape)[2]?.fields).toEqual({
      body: 'live body',
    });
  });
});
