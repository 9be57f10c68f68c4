/** The calls about welcome messages as the screen uses them: the list is kept for 30 s, a change asks for it anew. */
import { api } from '../../shared/api/generatedSms';

const CACHE_SECONDS = 30;

const tagged = api.enhanceEndpoints({ addTagTypes: ['WelcomeSms', 'AuditLog'] });

// After a failure too: another tab may have written or deleted one, or an answer was lost on its way.
const changes = { invalidatesTags: ['WelcomeSms' as const, 'AuditLog' as const] };

const welcomeApi = tagged.enhanceEndpoints({
  endpoints: {
    listWelcomeSms: { providesTags: ['WelcomeSms'], keepUnusedDataFor: CACHE_SECONDS },
    createWelcomeSms: changes,
    updateWelcomeSms: changes,
    deleteWelcomeSms: changes,
  },
});

export const {
  useCreateWelcomeSmsMutation,
  useUpdateWelcomeSmsMutation,
  useDeleteWelcomeSmsMutation,
} = welcomeApi;

export const useWelcomeMessages = () =>
  welcomeApi.useListWelcomeSmsQuery(undefined, { refetchOnMountOrArgChange: CACHE_SECONDS });
