import { describe, expect, it } from '@jest/globals';
import { html } from './html.js';

describe('HTML', () => {
  it('is ended by no text that is put into it: neither an element nor an attribute', () => {
    const { text } = html`<p title="${`"'`}">${`<a href="x" title='y'>&amp;</a>`}</p>`;
    expect(text).toBe(
      '<p title="&quot;&#39;">&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;</p>',
    );
  });

  it('takes other HTML as it is, many of them in their order, and nothing for what is left out', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    const { text } = html`<ul>
        ${items}
      </ul>
      ${undefined}${html`<hr />`}`;
    expect(text.replaceAll(/>\s+</g, '><')).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul><hr />');
  });
});
