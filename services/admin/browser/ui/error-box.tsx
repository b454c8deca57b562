import { ApiError } from '@quire/api-client';
import { useMessages } from '../locales/messages.js';
import { Button } from './button.js';

/** An error in words, with the id of the request for support, and a button that tries again. */
export function ErrorBox({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useMessages();
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const isOffline = error instanceof ApiError && error.status === 0;
  return (
    <section role="alert" className="error-box">
      <h1>{t('error.title')}</h1>
      <p>{isOffline ? t('error.offline') : t('error.explanation')}</p>
      {requestId !== undefined && <p>{t('error.request', { requestId })}</p>}
      <Button isMain onPress={onRetry}>
        {t('error.retry')}
      </Button>
    </section>
  );
}
