import { expect, it } from '@jest/globals';
import { escapeHtml } from './escape-html.js';

it('text in HTML ends neither an element nor an attribute', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
  );
});
