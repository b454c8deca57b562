import { describe, expect, it } from '@jest/globals';
import { multilineText } from './multiline-text.js';

describe('multilineText', () => {
  it.each([
    ['Ex &amp; cerpt', 'Ex & cerpt'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['<p>Root &amp; more</p><script>x</script>', 'Root & more'],
    ['a<br>b<br />\nc', 'a\nb\nc'],
    ['one\r\ntwo\n\n\n\nthree', 'one\ntwo\n\nthree'],
    ['<p>one</p>\n\n<p>two <b>three</b></p><ul><li>x</li><li>y</li></ul>', 'one\n\ntwo three\nx\ny'],
    ['<table><tr><td>a</td><td>b</td></tr></table>', 'a  b'],
    ['1 < 2 and <3', '1 < 2 and <3'],
    ['a\u00a0b', 'a\u00a0b'],
    ['<!-- wp:paragraph --><p>x</p><!-- /wp:paragraph -->', 'x'],
    ['open <!-- comment', 'open <!-- comment'],
    ['', ''],
  ])('of %j is %j', (html, text) => {
    expect(multilineText(html)).toBe(text);
  });

  it('keeps the text in elements without ends', () => {
    expect(multilineText(`${'<b>'.repeat(100_000)}x${'</i>'.repeat(100_000)} y`)).toBe('x y');
  });
});
