import { afterEach } from '@jest/globals';
import { openSite, useFixture, type ApiResponse, type Client, type Site } from '@quire/testing';

/** Settings of a site, and the operations of its administrator on them. */
export class Settings {
  constructor(
    readonly site: Site,
    readonly admin: Client,
  ) {}

  close(): Promise<void> {
    return this.site.close();
  }

  async get(): Promise<ApiResponse['data']> {
    return (await this.admin.get('/settings')).data;
  }

  update(body: unknown): Promise<ApiResponse> {
    return this.admin.put('/settings', body);
  }
}

/** Opens a site for a file; its settings are cleared after each test. */
export function useSettings(): Settings {
  const settings = useFixture(async () => {
    const site = await openSite();
    return new Settings(site, await site.as('admin'));
  });
  afterEach(async () => {
    await settings.site.sql('DELETE FROM settings');
  });
  return settings;
}
