import { Lock, WifiOff } from 'lucide-react';
import { useOnline } from '../api/online.js';
import { useReadOnly } from '../api/read-only.js';
import { useMessages } from '../locales/messages.js';
import { Banner } from '../ui/banner.js';

/** What holds for all screens: no connection, or a site that accepts no changes. */
export function SiteState() {
  const t = useMessages();
  const isOnline = useOnline();
  const isReadOnly = useReadOnly();
  if (!isOnline) return <Banner icon={<WifiOff aria-hidden size={16} />}>{t('site.offline')}</Banner>;
  if (isReadOnly) return <Banner icon={<Lock aria-hidden size={16} />}>{t('site.readOnly')}</Banner>;
  return null;
}
