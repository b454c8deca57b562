import { describe, expect, it } from '@jest/globals';
import { convert } from '../testing/expected-blocks.fixture.js';

/** The elements of the index of the HTML standard that have content, and obsolete ones. */
const elements = [
  ...['a', 'abbr', 'address', 'article', 'aside', 'audio', 'b', 'bdi', 'bdo', 'blockquote', 'body', 'button'],
  ...['canvas', 'caption', 'cite', 'code', 'colgroup', 'data', 'datalist', 'dd', 'del', 'details', 'dfn'],
  ...[
    'dialog',
    'div',
    'dl',
    'dt',
    'em',
    'fieldset',
    'figcaption',
    'figure',
    'footer',
    'form',
    'h1',
    'h2',
    'h3',
  ],
  ...['h4', 'h5', 'h6', 'head', 'header', 'hgroup', 'html', 'i', 'iframe', 'ins', 'kbd', 'label', 'legend'],
  ...['li', 'main', 'map', 'mark', 'math', 'menu', 'meter', 'nav', 'noscript', 'object', 'ol', 'optgroup'],
  ...['option', 'output', 'p', 'picture', 'pre', 'progress', 'q', 'rp', 'rt', 'ruby', 's', 'samp', 'script'],
  ...['search', 'section', 'select', 'selectedcontent', 'slot', 'small', 'span', 'strong', 'style', 'sub'],
  ...[
    'summary',
    'sup',
    'svg',
    'table',
    'tbody',
    'td',
    'template',
    'textarea',
    'tfoot',
    'th',
    'thead',
    'time',
  ],
  ...['title', 'tr', 'u', 'ul', 'var', 'video', 'custom-element'],
  ...[
    'acronym',
    'applet',
    'big',
    'center',
    'dir',
    'font',
    'frameset',
    'listing',
    'marquee',
    'nobr',
    'noembed',
  ],
  ...['noframes', 'rb', 'rtc', 'strike', 'tt', 'xmp'],
];
const voidElements = [
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'],
  ...['basefont', 'bgsound', 'frame', 'keygen', 'param'],
];
const withAddress = [
  '<a href="/x">word</a>',
  '<audio src="/x">word</audio>',
  '<video src="/x"><p>word</p></video>',
  '<iframe src="/x">word</iframe>',
  '<object data="/x"><p>word</p></object>',
  '<img src="/x" alt="word">',
  '<map><area href="/x" alt="word"></map>',
  '<area href="/x" alt="word">',
];
const structures = [
  '<table><caption>word</caption><tr><td></td></tr></table>',
  '<table><colgroup><col></colgroup><thead><tr><th>word</th></tr></thead></table>',
  '<table><tfoot><tr><td>word</td></tr></tfoot></table>',
  '<table><tr><td><select><option>word</option></select></td></tr></table>',
  '<figure><vendor-x></vendor-x><figcaption>word</figcaption></figure>',
  '<figure><img src="/x"><figcaption>word</figcaption></figure>',
  '<fieldset><legend>word</legend><input></fieldset>',
  '<form><label for="a"></label><input value="word"></form>',
  '<input value="word">',
  '<input type="submit" value="word">',
  '<input placeholder="word">',
  '<datalist><option value="word"></option></datalist>',
  '<select><optgroup label="word"><option></option></optgroup></select>',
  '<ruby>漢<rp>(</rp><rt>word</rt><rp>)</rp></ruby>',
  '<math><mfrac><mi>word</mi><mn>2</mn></mfrac></math>',
  '<svg><desc>word</desc></svg>',
  '<svg><text><![CDATA[word]]></text></svg>',
  '<dl><div><dt></dt><dd>word</dd></div></dl>',
  '<ul><ul><li>word</li></ul></ul>',
  '<ul>word</ul>',
  '<table>word</table>',
  '<template><p>word</p></template>',
  '<a href="/x" aria-label="word"></a>',
  '<a href="/x"><svg aria-label="word"></svg></a>',
];

/** How often a text is in blocks, as text, caption, address or source. */
const occurrences = (json: string, text: string): number => json.split(text).length - 1;

function expectInOrder(html: string): void {
  for (const source of [
    `first ${html} last`,
    `<div>first ${html} last</div>`,
    `<p>first</p>${html}<p>last`,
  ]) {
    const json = JSON.stringify(convert(source));
    expect({ source, json, count: occurrences(json, 'word') }).toEqual({ source, json, count: 1 });
    const positions = ['first', 'word', 'last'].map((text) => json.indexOf(text));
    expect({ source, positions }).toEqual({
      source,
      positions: positions.toSorted((one, other) => one - other),
    });
  }
}

describe('the text of HTML elements', () => {
  it.each(elements)('of %s stays once, in its order', (name) => {
    expectInOrder(`<${name}>word</${name}>`);
  });

  it.each(voidElements)('around %s stays', (name) => {
    const json = JSON.stringify(convert(`first <${name}> word <${name}/> last`));
    expect(['first', 'word', 'last'].map((text) => occurrences(json, text))).toEqual([1, 1, 1]);
  });

  it.each([...withAddress, ...structures])('of %s stays once, in its order', (html) => {
    expectInOrder(html);
  });

  it('behind plaintext stays', () => {
    expect(JSON.stringify(convert('first <plaintext>word <b>last'))).toContain('word <b>last');
  });
});
