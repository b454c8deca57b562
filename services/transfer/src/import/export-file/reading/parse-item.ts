import { ElementFields } from './element-fields.js';
import type { ExportComment, ExportItem, ExportItemTerm } from './export-item.js';
import type { Namespaces } from './namespaces.js';
import { parseElement, textOf, type XmlElement } from './xml-element.js';

/**
 * Parses one `item` element (2.2). The order of its elements does not matter; unknown and foreign ones are ignored.
 * @param bytes the element as XML in UTF-8: a part of the normalised file, by offset and length of its event
 * @param namespaces of the channel
 * @throws MalformedElementError if it is not well-formed
 * @throws ExportFileError for an entity that only a DTD could declare
 */
export function parseItem(bytes: Buffer | string, namespaces: Namespaces): ExportItem {
  const { element, removedControlCharacters } = parseElement(bytes.toString());
  const fields = new ElementFields(element, namespaces);
  return {
    sourceId: fields.id('wp:post_id'),
    type: fields.optional('wp:post_type') ?? 'post',
    title: fields.text('title'),
    link: fields.trimmed('link'),
    pubDate: fields.trimmed('pubDate'),
    creator: fields.optional('dc:creator'),
    guid: fields.trimmed('guid'),
    content: fields.text('content:encoded'),
    excerpt: fields.text('excerpt:encoded'),
    date: fields.trimmed('wp:post_date'),
    dateGmt: fields.trimmed('wp:post_date_gmt'),
    modified: fields.trimmed('wp:post_modified'),
    modifiedGmt: fields.trimmed('wp:post_modified_gmt'),
    commentStatus: fields.trimmed('wp:comment_status'),
    slug: fields.trimmed('wp:post_name'),
    status: fields.trimmed('wp:status'),
    parentId: fields.integer('wp:post_parent'),
    menuOrder: fields.integer('wp:menu_order'),
    password: fields.text('wp:post_password'),
    isSticky: fields.trimmed('wp:is_sticky') === '1',
    attachmentUrl: fields.optional('wp:attachment_url'),
    terms: fields.all('category').map(itemTerm),
    meta: fields.nested('wp:postmeta').map((meta) => ({
      key: meta.trimmed('wp:meta_key'),
      value: meta.text('wp:meta_value'),
    })),
    comments: fields.nested('wp:comment').map(comment),
    removedControlCharacters,
  };
}

function itemTerm(element: XmlElement): ExportItemTerm {
  const attribute = (name: string) => element.attributes[name]?.trim() || null;
  return { domain: attribute('domain'), nicename: attribute('nicename'), name: textOf(element).trim() };
}

function comment(fields: ElementFields): ExportComment {
  return {
    id: fields.id('wp:comment_id'),
    author: fields.trimmed('wp:comment_author'),
    authorEmail: fields.trimmed('wp:comment_author_email'),
    authorUrl: fields.trimmed('wp:comment_author_url'),
    date: fields.trimmed('wp:comment_date'),
    dateGmt: fields.trimmed('wp:comment_date_gmt'),
    content: fields.text('wp:comment_content'),
    approved: fields.trimmed('wp:comment_approved'),
    type: fields.trimmed('wp:comment_type'),
    parentId: fields.integer('wp:comment_parent'),
    userId: fields.integer('wp:comment_user_id'),
  };
}
