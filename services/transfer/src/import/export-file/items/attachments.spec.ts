import { describe, expect, it } from '@jest/globals';
import { itemOf } from '../export-files.fixture.js';
import { attachmentOf } from './attachments.js';
import { attachmentCategory, mimeTypeOfName } from './media-types.js';

const type = '<wp:post_type>attachment</wp:post_type>';
const url = 'https://old.example/wp-content/uploads/2024/05/Gro%CC%88%C3%9Fe%20(1).JPG?x=1';
const meta = (key: string, value: string) =>
  `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`;

describe('attachmentOf', () => {
  it('reads URL, name, texts and size', () => {
    const item = itemOf(
      `${type}<title>Photo</title><wp:post_id>5</wp:post_id><wp:post_parent>2</wp:post_parent><wp:menu_order>1</wp:menu_order>
       <excerpt:encoded><![CDATA[A <em>caption</em>]]></excerpt:encoded><wp:attachment_url>${url}</wp:attachment_url>
       ${meta('_wp_attachment_image_alt', 'Alt &amp; more')}
       ${meta('_wp_attachment_metadata', 'a:2:{s:5:"width";i:1200;s:6:"height";s:3:"800";}')}`,
    );
    expect(attachmentOf(item)).toEqual({
      id: 5,
      title: 'Photo',
      url,
      guidUrl: null,
      file: '2024/05/Gro%CC%88%C3%9Fe%20(1).JPG',
      variants: [],
      filename: 'Größe (1).JPG',
      mimeType: 'image/jpeg',
      alt: 'Alt & more',
      caption: 'A caption',
      description: null,
      width: 1200,
      height: 800,
      parentId: 2,
      menuOrder: 1,
    });
  });

  it('falls back to a guid that is the address of a file', () => {
    const withGuid = (guid: string) => attachmentOf(itemOf(`${type}<guid>${guid}</guid>`))?.url;
    expect(withGuid('https://old.example/a/doc.pdf')).toBe('https://old.example/a/doc.pdf');
    expect(withGuid('https://old.example/?attachment_id=5')).toBeNull();
    expect(withGuid('https://old.com')).toBeNull();
    expect(withGuid('urn:x/doc.pdf')).toBeNull();
  });

  it('reads a guid that is another address of the file', () => {
    const withGuid = (guid: string) =>
      attachmentOf(
        itemOf(`${type}<guid>${guid}</guid><wp:attachment_url>https://new.example/a.jpg</wp:attachment_url>`),
      );
    expect(withGuid('https://old.example/b.jpg')).toMatchObject({
      url: 'https://new.example/a.jpg',
      guidUrl: 'https://old.example/b.jpg',
    });
    expect(withGuid('https://new.example/a.jpg')?.guidUrl).toBeNull();
    expect(withGuid('https://old.example/?p=5')?.guidUrl).toBeNull();
  });

  it.each([
    ['2024/05/a.jpg', '2024/05/a.jpg'],
    ['/srv/www/wp-content/uploads/2024/a.jpg', '2024/a.jpg'],
    ['https://old.example/wp-content/uploads/sites/3/a.jpg', 'sites/3/a.jpg'],
    ['/srv/www/files/a.jpg', null],
    ['https://old.example/a.jpg', null],
    ['', null],
  ])('reads the path of the uploaded file from %s', (attached, file) => {
    expect(attachmentOf(itemOf(type + meta('_wp_attached_file', attached)))?.file).toBe(file);
  });

  it('reads the names of sizes and of the original that do not follow from the name of the file', () => {
    const sizes = ['logo-300x182.webp', 'logo-300x182.jpg', 'other-5x5.webp', 'up/x.webp'];
    const size = (name: string, index: number) => `i:${index};a:1:{s:4:"file";s:${name.length}:"${name}";}`;
    const metadata = `a:2:{s:5:"sizes";a:${sizes.length}:{${sizes.map(size).join('')}}s:14:"original_image";s:8:"logo.png";}`;
    const item = itemOf(
      `${type}<wp:attachment_url>https://old.example/logo-scaled.webp</wp:attachment_url>
       ${meta('_wp_attachment_metadata', metadata)}`,
    );
    expect(attachmentOf(item)?.variants).toEqual(['logo-300x182.jpg', 'other-5x5.webp', 'logo.png']);
  });

  it.each([
    ['a:2:{s:5:"width";i:0;s:6:"height";i:-5;}'],
    ['a:2:{s:5:"width";s:1:"x";s:6:"height";d:1.5;}'],
    ['not serialised'],
    ['i:5;'],
  ])('reads no size from %s', (metadata) => {
    const item = itemOf(type + meta('_wp_attachment_metadata', metadata));
    expect(attachmentOf(item)).toMatchObject({ width: null, height: null });
  });

  it('keeps a name that cannot be decoded, and is null for other types', () => {
    const item = itemOf(`${type}<wp:attachment_url>https://old.example/100%.png</wp:attachment_url>`);
    expect(attachmentOf(item)?.filename).toBe('100%.png');
    expect(attachmentOf(itemOf(''))).toBeNull();
  });
});

describe('attachmentCategory', () => {
  it.each([
    ['a.PNG', 'image'],
    ['a.mp4', 'video'],
    ['a.mp3', 'audio'],
    ['a.pdf', 'document'],
    ['a.zip', 'other'],
    ['a', 'other'],
  ])('counts %s as %s', (name, category) => {
    expect(attachmentCategory(mimeTypeOfName(name))).toBe(category);
  });
});
