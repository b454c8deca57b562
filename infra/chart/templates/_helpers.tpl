{{/* The targets by name, from libs/topology and libs/jobs: npm run generate writes the file. */}}
{{- define "quire.targets" -}}
{{ .Files.Get "files/targets.json" }}
{{- end }}

{{- define "quire.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "quire.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "quire.labels" -}}
{{ include "quire.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "quire.image" -}}
{{- with .Values.image }}
{{- if .digest }}{{ .repository }}@{{ .digest }}
{{- else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/* The settings of a target: those of its kind, with its own. Takes (list context name target). */}}
{{- define "quire.settings" -}}
{{- $values := (index . 0).Values }}
{{- $own := index $values.targets (index . 1) | default dict }}
{{- mergeOverwrite (deepCopy (index $values (index . 2).kind)) (deepCopy $own) | toJson }}
{{- end }}

{{/* Fails for settings of a target that does not exist, and for values that need each other. */}}
{{- define "quire.validate" -}}
{{- $targets := include "quire.targets" . | fromJson }}
{{- range $name, $_ := .Values.targets }}
{{- if not (hasKey $targets $name) }}
{{- fail (printf "targets.%s: there is no such target; the targets are %s" $name (keys $targets | sortAlpha | join ", ")) }}
{{- end }}
{{- end }}
{{- with .Values.keda }}
{{- if .enabled }}
{{- if and (eq .trigger "prometheus") (not .prometheus.serverAddress) }}
{{- fail "keda.prometheus.serverAddress: the trigger prometheus needs it" }}
{{- end }}
{{- if and (eq .trigger "redis") (or (not $.Values.redis.existingSecret) (not .redis.addresses)) }}
{{- fail "keda.redis.addresses and redis.existingSecret: the trigger redis needs them" }}
{{- end }}
{{- if and (eq .trigger "postgresql") $.Values.redis.existingSecret }}
{{- fail "keda.trigger: the queues are in Redis, because redis.existingSecret is set" }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The operations port: of the gateway a port of its own. Takes the name of the target. */}}
{{- define "quire.operationsPort" -}}
{{ eq . "gateway" | ternary 5321 4321 }}
{{- end }}

{{- define "quire.secretVariable" -}}
- name: {{ index . 0 }}
  valueFrom:
    secretKeyRef: { name: {{ index . 1 | quote }}, key: {{ index . 2 | default (index . 0) }} }
{{- end }}

{{/* Variables of the stores. Takes (list context secretOfDatabase secretVariables). */}}
{{- define "quire.storeVariables" -}}
{{- $values := (index . 0).Values -}}
{{ include "quire.secretVariable" (list "DATABASE_URL" (index . 1) "") }}
- { name: CMS_DATABASE_POOL_SIZE, value: {{ $values.database.poolSize | quote }} }
{{- with $values.redis.existingSecret }}
{{ include "quire.secretVariable" (list "REDIS_URL" . "") }}
{{- end }}
{{- with $values.s3 }}
- { name: S3_ENDPOINT, value: {{ .endpoint | quote }} }
{{- with .publicEndpoint }}
- { name: S3_PUBLIC_ENDPOINT, value: {{ . | quote }} }
{{- end }}
- { name: S3_REGION, value: {{ .region | quote }} }
- { name: S3_BUCKET, value: {{ .bucket | quote }} }
{{ include "quire.secretVariable" (list "S3_ACCESS_KEY" .existingSecret "") }}
{{ include "quire.secretVariable" (list "S3_SECRET_KEY" .existingSecret "") }}
{{- end }}
{{- with $values.meilisearch }}
{{- if .existingSecret }}
- { name: MEILISEARCH_URL, value: {{ .url | quote }} }
{{ include "quire.secretVariable" (list "MEILISEARCH_KEY" .existingSecret "") }}
{{- end }}
{{- end }}
{{- range $name, $secret := index . 2 }}
{{ include "quire.secretVariable" (list $name $secret "") }}
{{- end }}
{{- end }}

{{/* Variables of every process. */}}
{{- define "quire.variables" -}}
- { name: PORT, value: '4321' }
- { name: CMS_OPS_PORT, value: {{ include "quire.operationsPort" "gateway" | quote }} }
- { name: CMS_OPS_HOST, value: 0.0.0.0 }
- { name: CMS_DRAIN_SECONDS, value: {{ .Values.drainSeconds | quote }} }
- { name: CMS_DATA_DIR, value: /tmp/data }
- { name: CMS_PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
{{ include "quire.secretVariable" (list "CMS_INTERNAL_SECRET" .Values.internal.existingSecret "") }}
{{- with .Values.internal.publicKeys }}
- { name: CMS_INTERNAL_PUBLIC_KEYS, value: {{ . | quote }} }
{{- end }}
{{- range $name, $value := .Values.variables }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* Fields of every pod, and of every container. */}}
{{- define "quire.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "quire.container" -}}
image: {{ include "quire.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/*
The most database connections of a process: a pool each for the registry and the service. The gateway has the one of the
registry, and six of two for operators. Queues in PostgreSQL add three for each queue of the installation, one more to
check them, two for rate limits, four for the relay, and four for each queue of a worker.
Takes (list context name target).
*/}}
{{- define "quire.connections" -}}
{{- $values := (index . 0).Values }}
{{- $target := index . 2 }}
{{- $pool := int $values.database.poolSize }}
{{- $connections := eq (index . 1) "gateway" | ternary (add $pool 12) (mul $pool 2) }}
{{- if not $values.redis.existingSecret }}
{{- $queues := 0 }}
{{- range $_, $other := include "quire.targets" (index . 0) | fromJson }}{{ $queues = add $queues (len $other.queues) }}{{ end }}
{{- $connections = add $connections (mul 3 $queues) 7 (mul 4 (len $target.queues)) }}
{{- end }}
{{- $target.usesStores | ternary $connections 0 }}
{{- end }}
