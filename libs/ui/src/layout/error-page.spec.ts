import { describe, expect, it } from '@jest/globals';
import { QuireError } from '@quire/errors';
import { renderErrorPage } from './error-page.js';

const request = { path: '/_cms/admin/login', requestId: 'request-1' };

describe('renderErrorPage', () => {
  it('renders the status, the message and the request id of page paths, escaped', () => {
    const rendered = renderErrorPage(new QuireError('SERVICE_UNAVAILABLE', 'No <b>service</b>'), request);
    expect(rendered?.body).toContain('<h1>Temporarily unavailable</h1>');
    expect(rendered?.body).toContain('<p>No &lt;b&gt;service&lt;/b&gt;.</p>');
    expect(rendered?.body).toContain('<code>request-1</code>');
    expect(rendered?.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(rendered?.headers['content-security-policy']).toContain("form-action 'none'");
  });

  it('adds no second full stop to a message of several sentences', () => {
    const error = new QuireError('SERVICE_UNAVAILABLE', 'The service is unavailable. Retry later.');
    expect(renderErrorPage(error, request)?.body).toContain(
      '<p>The service is unavailable. Retry later.</p>',
    );
  });

  it.each(['/_cms/admin', '/_cms/admin/nothing', '/_cms/oauth/authorize'])('renders %s', (path) => {
    expect(renderErrorPage(new QuireError('NOT_FOUND', 'Not found'), { ...request, path })).toBeDefined();
  });

  it.each(['/_cms/administration', '/_cms/api/content', '/'])('leaves %s to the envelope', (path) => {
    expect(renderErrorPage(new QuireError('NOT_FOUND', 'Not found'), { ...request, path })).toBeUndefined();
  });
});
