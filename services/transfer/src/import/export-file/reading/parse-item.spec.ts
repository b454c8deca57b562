import { describe, expect, it } from '@jest/globals';
import { itemOf, namespaces } from '../export-files.fixture.js';
import { ExportFileError, parseItem } from '../index.js';
import { MalformedElementError } from './xml-element.js';

describe('parseItem', () => {
  it('gives the defaults of an empty item', () => {
    expect(itemOf('')).toEqual({
      sourceId: null,
      type: 'post',
      title: '',
      link: '',
      pubDate: '',
      creator: null,
      guid: '',
      content: '',
      excerpt: '',
      date: '',
      dateGmt: '',
      modified: '',
      modifiedGmt: '',
      commentStatus: '',
      slug: '',
      status: '',
      parentId: 0,
      menuOrder: 0,
      password: '',
      isSticky: false,
      attachmentUrl: null,
      terms: [],
      meta: [],
      comments: [],
      removedControlCharacters: false,
    });
  });

  it('decodes XML once, and joins text and CDATA sections', () => {
    const item = itemOf(
      '<title>Tom &amp;amp; &#x1F600;&nbsp;</title><content:encoded> a &lt;b <![CDATA[c &amp; ]]]]><![CDATA[> d]]]></content:encoded>',
    );
    expect(item.title).toBe('Tom &amp; 😀&nbsp;');
    expect(item.content).toBe(' a <b c &amp; ]]> d]');
  });

  it('trims ids, slugs, dates and logins, but not bodies', () => {
    const item = itemOf(`<wp:post_id> 5 </wp:post_id><wp:post_name>
      a-slug </wp:post_name><dc:creator> ada </dc:creator><wp:post_date> 2024-01-01 00:00:00 </wp:post_date>
      <excerpt:encoded> text\n</excerpt:encoded><wp:is_sticky>1</wp:is_sticky><wp:menu_order>-1</wp:menu_order>`);
    expect(item).toMatchObject({
      sourceId: 5,
      slug: 'a-slug',
      creator: 'ada',
      date: '2024-01-01 00:00:00',
      excerpt: ' text\n',
      isSticky: true,
      menuOrder: -1,
    });
  });

  it.each(['', 'x', '-1', '1.5', '99999999999999999999'])('reads the id "%s" as none', (id) => {
    expect(itemOf(`<wp:post_id>${id}</wp:post_id>`).sourceId).toBeNull();
  });

  it('ignores elements of foreign namespaces, whatever their prefix', () => {
    const item = itemOf(
      `<wp:post_id xmlns:wp="urn:other">1</wp:post_id><other:post_id xmlns:other="${namespaces.wp}">2</other:post_id>
       <media:title xmlns:media="urn:media">no</media:title><unbound:title>no</unbound:title><title>yes</title>
       <title xmlns="urn:default">no</title>`,
    );
    expect(item).toMatchObject({ sourceId: 2, title: 'yes' });
  });

  it('resolves prefixes that the item itself binds', () => {
    const xml = `<item xmlns:e="https://wordpress.org/export/1.1/" xmlns:wp="urn:other">
      <wp:post_id>1</wp:post_id><e:post_id>2</e:post_id>
      <e:postmeta><e:meta_key>k</e:meta_key><e:meta_value>v</e:meta_value></e:postmeta></item>`;
    expect(parseItem(Buffer.from(xml), namespaces)).toMatchObject({
      sourceId: 2,
      meta: [{ key: 'k', value: 'v' }],
    });
  });

  it('reads terms, meta and comments, without the address of a computer', () => {
    const item =
      itemOf(`<category domain="post_tag" nicename="a&amp;b"><![CDATA[A & B]]></category><category>Bare</category>
      <wp:postmeta><wp:meta_key>k</wp:meta_key><wp:meta_value> v </wp:meta_value></wp:postmeta>
      <wp:comment><wp:comment_id>3</wp:comment_id><wp:comment_author>Bob</wp:comment_author>
        <wp:comment_author_IP>192.0.2.1</wp:comment_author_IP><wp:comment_parent>2</wp:comment_parent>
        <wp:comment_approved>1</wp:comment_approved><wp:comment_content>Hi</wp:comment_content></wp:comment>`);
    expect(item.terms).toEqual([
      { domain: 'post_tag', nicename: 'a&b', name: 'A & B' },
      { domain: null, nicename: null, name: 'Bare' },
    ]);
    expect(item.meta).toEqual([{ key: 'k', value: ' v ' }]);
    expect(item.comments).toEqual([
      {
        id: 3,
        author: 'Bob',
        authorEmail: '',
        authorUrl: '',
        date: '',
        dateGmt: '',
        content: 'Hi',
        approved: '1',
        type: '',
        parentId: 2,
        userId: 0,
      },
    ]);
    expect(JSON.stringify(item)).not.toContain('192.0.2.1');
  });

  it('removes control characters, written as they are or by number', () => {
    const raw = itemOf('<title><![CDATA[a\u0000\u0007\u000b\u001fb\tc]]></title>');
    const numeric = itemOf('<title>a&#7;&#x0;b&#9;c</title>');
    for (const item of [raw, numeric]) {
      expect(item).toMatchObject({ title: 'ab\tc', removedControlCharacters: true });
    }
    expect(itemOf('<title>a\tb\u007f</title>').removedControlCharacters).toBe(false);
  });

  it('joins pairs of surrogates and replaces single ones', () => {
    expect(itemOf('<title>&#xD83D;&#xDE00; &#xD800; &#x110000;</title>').title).toBe('😀 \ufffd \ufffd');
  });

  it('normalises line ends', () => {
    expect(itemOf('<title>a\r\nb\rc</title>').title).toBe('a\nb\nc');
  });

  it('fails for XML that the parser refuses, and for undeclared entities', () => {
    expect(() => itemOf('<constructor/>')).toThrow(MalformedElementError);
    expect(() => itemOf('<title>&custom;</title>')).toThrow(ExportFileError);
  });
});
