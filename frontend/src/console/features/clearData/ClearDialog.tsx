import { useState } from 'react';
import {
  useClearAnalyticsMutation,
  useClearReferralsMutation,
  useGetStoredDataQuery,
  type StartedJobView,
} from '../../api/admin';
import { useClearCampaignsMutation, useClearSmsMutation } from '../../api/sms';
import { asApiError } from '../../../shared/api/apiError';
import { isProposed, type Proposed } from '../../lib/proposal';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { ProposedDialog } from '../../ui/Proposed';
import { QueryView, Loading } from '../../ui/states';
import { useToast } from '../../../shared/ui/toast/useToast';
import {
  analyticsRows,
  campaignRows,
  referralRows,
  smsRows,
  storedRows,
  words,
  type Kind,
} from './clearing';

interface Props {
  kind: Kind;
  announcesFailures: boolean;
  /** How a clearing in the background failed. */
  failure: string | undefined;
  /** It takes longer, or is running already. */
  onStarted: (jobId: number) => void;
  onClose: () => void;
}

/** Says what will be deleted, and how many rows that are now. */
export function ClearDialog({ kind, announcesFailures, failure, onStarted, onClose }: Props) {
  const { clear, isLoading, error } = useClearing(kind);
  const toast = useToast();
  const { button, consequence, done, failed } = words[kind];
  const [proposal, setProposal] = useState<Proposed>();

  async function confirm() {
    try {
      const answer = await clear();
      if (isProposed(answer)) return setProposal(answer);
      if ('jobId' in answer) return onStarted(answer.jobId);
      const { rows } = answer;
      onClose();
      toast({ title: done, description: `Deleted: ${rows}.` });
    } catch {
      if (announcesFailures) toast({ ...failed, tone: 'bad' });
    }
  }

  if (proposal) return <ProposedDialog proposal={proposal} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`${button}?`}
      confirmLabel={isLoading ? 'Clearing...' : button}
      confirmWord="CLEAR"
      danger
      busy={isLoading}
      problem={error ? `${failed.description}. ${asApiError(error).sentence}` : failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <StoredRows kind={kind} />
      <p>{consequence}</p>
    </ConfirmDialog>
  );
}

function StoredRows({ kind }: { kind: Kind }) {
  const stored = useGetStoredDataQuery(undefined, { refetchOnMountOrArgChange: true });
  // What was counted for an earlier dialog is no answer.
  const fresh = { ...stored, data: stored.isFetching ? undefined : stored.data };
  return (
    <QueryView query={fresh} loading={<Loading label="Counting..." lines={1} />}>
      {(rows) => (
        <p>
          This deletes <strong>{storedRows(kind, rows)}</strong> for good.
        </p>
      )}
    </QueryView>
  );
}

/** The clearing of one kind, with what it deleted in words. */
function useClearing(kind: Kind) {
  const [clearAnalytics, analytics] = useClearAnalyticsMutation();
  const [clearReferrals, referrals] = useClearReferralsMutation();
  const [clearCampaigns, campaigns] = useClearCampaignsMutation();
  const [clearSms, sms] = useClearSmsMutation();

  const clearings = {
    analytics: { ...analytics, clear: () => deleted(clearAnalytics().unwrap(), analyticsRows) },
    referrals: { ...referrals, clear: () => deleted(clearReferrals().unwrap(), referralRows) },
    campaigns: { ...campaigns, clear: () => deleted(clearCampaigns().unwrap(), campaignRows) },
    sms: { ...sms, clear: () => deleted(clearSms().unwrap(), smsRows) },
  };
  return clearings[kind];
}

async function deleted<Rows>(
  answer: Promise<{ deleted: Rows } | StartedJobView | Proposed>,
  inWords: (rows: Rows) => string,
) {
  const cleared = await answer;
  return 'deleted' in cleared ? { rows: inWords(cleared.deleted) } : cleared;
}
