import axe from 'axe-core';
import type { BrowserSession } from '../support.js';

/** Path of the panel. */
export const panel = '/_cms/admin/panel';

/** The axe violations of the page, one line each. */
export async function violations({ page }: BrowserSession): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate<axe.AxeResults>('axe.run()');
  return found.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Whether the page scrolls horizontally. */
export const isTooWide = ({ page }: BrowserSession) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');
