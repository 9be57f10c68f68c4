import { useState } from 'react';
import { useGetSettingsQuery, useUpdateSettingsMutation } from '../../api/admin';
import { useRefreshing } from '../../lib/polled';
import { asApiError } from '../../../shared/api/apiError';
import { isProposed, type Proposed } from '../../lib/proposal';
import { useMay } from '../../session/me';
import { Card } from '../../ui/Card';
import { Loading, QueryView } from '../../ui/states';
import { ProposedText } from '../../ui/Proposed';
import { Switch } from '../../ui/Switch';
import { useToast } from '../../../shared/ui/toast/useToast';

/** Whether users see prices and can buy, for the whole site at once. */
export function ShowPricing() {
  const settings = useGetSettingsQuery(undefined, useRefreshing());
  const [update, { isLoading, error }] = useUpdateSettingsMutation();
  const toast = useToast();
  const mayChange = useMay('manage_settings');
  const [proposal, setProposal] = useState<Proposed>();

  async function show(showPricing: boolean) {
    setProposal(undefined);
    const { data, error: failure } = await update({ settingsBody: { showPricing } });
    const answer: unknown = data;
    if (isProposed(answer)) setProposal(answer);
    else toast(failure ? notChanged : changed);
  }

  return (
    <Card title="Pricing display">
      <QueryView query={settings} loading={<Loading lines={2} />}>
        {({ settings: { showPricing } }) =>
          mayChange ? (
            <Switch
              label="Show pricing"
              state={showPricing ? SHOWN : HIDDEN}
              checked={showPricing}
              busy={isLoading}
              onChange={(next) => void show(next)}
            />
          ) : (
            <p>{showPricing ? SHOWN : HIDDEN}</p>
          )
        }
      </QueryView>
      {/* Not whether it was changed: the switch shows what is stored. */}
      <div role="status">
        <p className="stale">{error && asApiError(error).sentence}</p>
        {proposal && <ProposedText proposal={proposal} />}
      </div>
    </Card>
  );
}

const SHOWN = "On: ‘Boost Your Chances' sections offer users all active packages.";
const HIDDEN = "Off: users see no ‘Boost Your Chances' sections, and nothing can be bought.";

const changed = {
  title: 'Pricing display updated',
  description: 'Changes will take effect immediately for users.',
};

const notChanged = {
  title: 'Failed to update settings',
  description: 'Please try again later.',
  tone: 'bad' as const,
};
