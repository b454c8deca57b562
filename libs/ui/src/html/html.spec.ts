import { describe, expect, it } from '@jest/globals';
import { html } from './html.js';

describe('html', () => {
  it('escapes strings in elements and attributes', () => {
    const { text } = html`<p title="${`"'`}">${`<a href="x" title='y'>&amp;</a>`}</p>`;
    expect(text).toBe(
      '<p title="&quot;&#39;">&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;</p>',
    );
  });

  it('inserts HTML unchanged, lists in their order, and nothing for undefined', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    const { text } = html`<ul>
        ${items}
      </ul>
      ${undefined}${html`<hr />`}`;
    expect(text.replaceAll(/>\s+</g, '><')).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul><hr />');
  });
});
