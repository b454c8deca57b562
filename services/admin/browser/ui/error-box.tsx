import { ApiError } from '@quire/api-client';
import { useMessages, type MessageKey } from '../locales/messages.js';
import { Button } from './button.js';

const explanations: Readonly<Record<number, MessageKey>> = {
  0: 'error.offline',
  403: 'error.forbidden',
  503: 'error.unavailable',
};

/**
 * An error in words, with the id of the request for support, and a button that tries again.
 * @param props.level of its heading: 1 where it is the whole screen
 */
export function ErrorBox({
  error,
  onRetry,
  level = 1,
}: {
  error: Error;
  onRetry: () => void;
  level?: 1 | 2;
}) {
  const t = useMessages();
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const explanation = error instanceof ApiError ? explanations[error.status] : undefined;
  const Heading = `h${level}` as const;
  return (
    <section role="alert" className="error-box">
      <Heading>{t('error.title')}</Heading>
      <p>{t(explanation ?? 'error.explanation')}</p>
      {requestId !== undefined && <p>{t('error.request', { requestId })}</p>}
      <Button isMain onPress={onRetry}>
        {t('error.retry')}
      </Button>
    </section>
  );
}
