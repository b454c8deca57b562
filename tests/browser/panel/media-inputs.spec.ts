import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry } from '@quire/testing';
import sharp from 'sharp';
import type { BrowserSession } from '../support.js';
import { useEntryEditors, waitUntilSaved } from './entry-editors.js';
import { isTooWide, violations } from './support.js';

const { site, clients, openEditor, stored, waitForStored } = useEntryEditors();

/** An image of one color as a file of the device. */
async function image(name: string, background: string) {
  const png = sharp({ create: { width: 40, height: 30, channels: 3, background } }).png();
  return { name, mimeType: 'image/png', buffer: await png.toBuffer() };
}
const slot = ({ page }: BrowserSession, label: string) =>
  page.getByRole('group', { name: label, exact: true }).last();

/** Selects a file of the device for a field. */
async function upload(session: BrowserSession, label: string, file: Awaited<ReturnType<typeof image>>) {
  const chooser = session.page.waitForEvent('filechooser');
  await slot(session, label).getByRole('button', { name: 'Upload' }).click();
  await (await chooser).setFiles(file);
}

beforeAll(async () => {
  await site.collection({
    slug: 'pictures',
    fields: [
      { slug: 'title', type: 'string', label: 'Title', required: true },
      { slug: 'photo', type: 'image', label: 'Photo', options: { darkVariant: true } },
      { slug: 'paper', type: 'file', label: 'Paper', validation: { allowedMimeTypes: ['application/pdf'] } },
    ],
  });
});

const picture = (title: string) => createEntry(clients.editor, 'pictures', { title, body: undefined });

describe('the image of an entry', () => {
  it('is uploaded, described, replaced with one of the library, and removed', async () => {
    const { id } = await picture('Pictured');
    const session = await openEditor(`pictures/${id}`);
    await upload(session, 'Photo', await image('red-house.png', 'red'));
    await slot(session, 'Photo').getByText('red-house.png').waitFor();
    await session.page.getByLabel('Description for those who do not see the image').fill('A red house');
    await waitUntilSaved(session);
    await waitForStored(`pictures/${id}`, {
      photo: { alt: 'A red house', filename: 'red-house.png', width: 40 },
    });
    const shown = slot(session, 'Photo').getByRole('img', { name: 'A red house' });
    await session.page.waitForFunction('document.querySelector("figure img").naturalWidth > 0');
    expect(await shown.count()).toBe(1);
    await upload(session, 'Photo', await image('blue-house.png', 'blue'));
    await slot(session, 'Photo').getByText('blue-house.png').waitFor();
    await slot(session, 'Photo').getByRole('button', { name: 'Choose from the library' }).click();
    const library = session.page.getByRole('dialog', { name: 'Media library' });
    await library.getByRole('searchbox').fill('red-h');
    await library.getByRole('button', { name: 'blue-house.png' }).waitFor({ state: 'detached' });
    expect(await violations(session)).toEqual([]);
    await library.getByRole('button', { name: 'red-house.png' }).click();
    await waitForStored(`pictures/${id}`, { photo: { filename: 'red-house.png' } });
    await slot(session, 'Photo').getByRole('button', { name: 'Remove' }).click();
    await waitUntilSaved(session);
    expect(await stored(`pictures/${id}`)).not.toHaveProperty('photo');
  });

  it('may be decorative, and have another one for dark colors', async () => {
    const { id } = await picture('Dark');
    const session = await openEditor(`pictures/${id}`);
    await upload(session, 'Photo', await image('day.png', 'white'));
    await slot(session, 'Photo').getByText('day.png').waitFor();
    await session.page.getByLabel('It is decorative, and needs no description').check();
    await upload(session, 'Image for dark colors', await image('night.png', 'black'));
    await slot(session, 'Image for dark colors').getByText('night.png').waitFor();
    await waitUntilSaved(session);
    await waitForStored(`pictures/${id}`, {
      photo: { alt: '', filename: 'day.png', darkVariant: { filename: 'night.png' } },
    });
  });

  it('is taken from the clipboard', async () => {
    const { id } = await picture('Pasted');
    const session = await openEditor(`pictures/${id}`);
    const { buffer } = await image('pasted.png', 'green');
    await session.page.evaluate(`{
      const bytes = Uint8Array.from(atob('${buffer.toString('base64')}'), (each) => each.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], 'pasted.png', { type: 'image/png' }));
      const place = document.querySelector('div[role="group"][aria-label="Photo"]');
      place.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }`);
    await waitForStored(`pictures/${id}`, { photo: { filename: 'pasted.png' } });
  });
});

describe('the file of an entry', () => {
  it('is refused where its type is not accepted, and taken where it is', async () => {
    const { id } = await picture('Papers');
    const session = await openEditor(`pictures/${id}`);
    await upload(session, 'Paper', await image('no-paper.png', 'red'));
    await session.page
      .getByText('no-paper.png was not uploaded: Files of this type are not accepted here.')
      .waitFor();
    const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF');
    await upload(session, 'Paper', { name: 'paper.pdf', mimeType: 'application/pdf', buffer: pdf });
    await waitForStored(`pictures/${id}`, { paper: { filename: 'paper.pdf' } });
  });

  it.each(['light', 'dark'] as const)(
    'has no axe violations in %s colors, and fits 320 pixels',
    async (colorScheme) => {
      const { id } = await picture(`Accessible ${colorScheme}`);
      const session = await openEditor(`pictures/${id}`, { width: 320, colorScheme });
      await upload(session, 'Photo', await image(`${colorScheme}.png`, 'gray'));
      await slot(session, 'Photo').getByText(`${colorScheme}.png`).waitFor();
      expect(await violations(session)).toEqual([]);
      expect(await isTooWide(session)).toBe(false);
    },
  );
});
