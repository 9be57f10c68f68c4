import { useGetSettingsQuery, useUpdateSettingsMutation } from '../../api/admin';
import { useRefreshing } from '../../lib/polled';
import { asApiError } from '../../../shared/api/apiError';
import { Card } from '../../ui/Card';
import { Loading, QueryView } from '../../ui/states';
import { Switch } from '../../ui/Switch';
import { useToast } from '../../../shared/ui/toast/useToast';

/** Whether users see prices and can buy, for the whole site at once. */
export function ShowPricing() {
  const settings = useGetSettingsQuery(undefined, useRefreshing());
  const [update, { isLoading, error }] = useUpdateSettingsMutation();
  const toast = useToast();

  async function show(showPricing: boolean) {
    const { error: failure } = await update({ settingsBody: { showPricing } });
    toast(failure ? notChanged : changed);
  }

  return (
    <Card title="Pricing display">
      <QueryView query={settings} loading={<Loading lines={2} />}>
        {({ settings: { showPricing } }) => (
          <Switch
            label="Show pricing"
            state={showPricing ? SHOWN : HIDDEN}
            checked={showPricing}
            busy={isLoading}
            onChange={(next) => void show(next)}
          />
        )}
      </QueryView>
      {/* Not whether it was changed: the switch shows what is stored. */}
      <p className="stale" role="status">
        {error && asApiError(error).sentence}
      </p>
    </Card>
  );
}

const SHOWN = 'On: ‘Boost Your Chances’ sections offer users all active packages.';
const HIDDEN = 'Off: users see no ‘Boost Your Chances’ sections, and nothing can be bought.';

const changed = {
  title: 'Pricing display updated',
  description: 'Changes will take effect immediately for users.',
};

const notChanged = {
  title: 'Failed to update settings',
  description: 'Please try again later.',
  tone: 'bad' as const,
};
