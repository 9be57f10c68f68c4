import { useGetSettingsQuery } from '../../api/admin';
import { polled, REFRESH_MS } from '../../lib/polled';
import { useBetweenPresses } from '../../lib/useBetweenPresses';
import { useMay } from '../../session/me';
import { QueryLink } from '../../ui/QueryLink';

/** On every screen, while sign-ups need a code and none can be sent. */
export function CodesNotice() {
  const { data } = useGetSettingsQuery(undefined, polled(REFRESH_MS));
  const mayAct = useMay('save_credentials');
  const isBlocked = useBetweenPresses(data?.settings.phoneVerification === 'no_account');
  if (!isBlocked) return null;
  return (
    <p className="notice codes-notice" role="alert">
      Nobody can enter: sign-ups need a code, and no SMS account is set up.{' '}
      {mayAct ? (
        <QueryLink change={{ section: 'settings' }} clear>
          Set up an SMS account
        </QueryLink>
      ) : (
        'An owner can set one up.'
      )}
    </p>
  );
}
