import { formatDateTime } from '../../shared/lib/format';
import { CopyField } from './CopyButton';
import { MessageDialog } from './MessageDialog';

interface Props {
  shown: { code: string; page: string; expiresAt: string };
  onClose: () => void;
}

/** What staff read out to a winner on the phone. The server does not show it again. */
export function CallCode({ shown: { code, page, expiresAt }, onClose }: Props) {
  return (
    <MessageDialog title="Read this code out" closeLabel="Done" onClose={onClose}>
      <p>
        The winner opens <strong>{page.replace(/^https?:\/\//, '')}</strong> and types the code. It
        opens the claim in one browser, once, until {formatDateTime(expiresAt)}, and is not shown
        again. Tell it to nobody else.
      </p>
      <CopyField label="The code" what="the code" text={code} />
    </MessageDialog>
  );
}
