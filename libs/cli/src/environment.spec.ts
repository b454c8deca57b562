import { describe, expect, it } from '@jest/globals';
import { readEnvironment } from './environment.js';

describe('readEnvironment', () => {
  it('reads the site, the token and the folder, and counts empty variables as unset', () => {
    expect(
      readEnvironment({ CMS_URL: 'https://cms.example', CMS_TOKEN: '', XDG_CONFIG_HOME: '/config' }),
    ).toEqual({
      siteUrl: 'https://cms.example',
      token: undefined,
      configFolder: '/config/quire',
      proxies: { httpsProxy: undefined, noProxy: undefined },
    });
  });

  it.each([
    [{ HTTPS_PROXY: 'http://b', HTTP_PROXY: 'http://c', NO_PROXY: 'x' }, 'http://b', 'x'],
    [{ https_proxy: 'http://a', HTTPS_PROXY: 'http://b', no_proxy: 'y', NO_PROXY: 'x' }, 'http://a', 'y'],
    [{ HTTPS_PROXY: '', HTTP_PROXY: 'http://c' }, 'http://c', undefined],
    [{ http_proxy: 'http://d', NO_PROXY: '' }, 'http://d', undefined],
  ])('reads the proxy of %j', (variables, httpsProxy, noProxy) => {
    expect(readEnvironment(variables).proxies).toEqual({ httpsProxy, noProxy });
  });
});
