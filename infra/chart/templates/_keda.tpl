{{/* The triggers of a queue. Takes (list context queue). A paused queue needs no workers. */}}
{{- define "quire.triggers" -}}
{{- $values := (index . 0).Values }}
{{- $keda := $values.keda }}
{{- $queue := index . 1 }}
{{- $namespace := $values.variables.CMS_NAMESPACE | default "quire" }}
{{- if eq $keda.trigger "prometheus" }}
{{- $series := printf "queue=%q" $queue }}
{{- with $keda.prometheus.matchers }}{{ $series = printf "%s,%s" $series . }}{{ end }}
{{- $unpaused := printf "unless max(quire_queue_paused{%s}) == 1" $series }}
{{- range $name, $trigger := dict
  "jobs" (list (printf "max(quire_queue_jobs{%s,state=\"waiting\"}) %s" $series $unpaused) (int $keda.jobsPerReplica))
  "age" (list (printf "max(quire_queue_oldest_seconds{%s}) %s" $series $unpaused) (int $keda.secondsPerReplica))
  "outbox-age" (list (printf "max(quire_outbox_oldest_seconds{%s}) %s" $series $unpaused) (int $keda.secondsPerReplica)) }}
- type: prometheus
  name: {{ $queue }}-{{ $name }}
  metadata:
    serverAddress: {{ $keda.prometheus.serverAddress | quote }}
    query: {{ index $trigger 0 | quote }}
    threshold: {{ index $trigger 1 | quote }}
{{- end }}
{{- else if eq $keda.trigger "redis" }}
{{- $isCluster := eq $keda.redis.servers "cluster" }}
{{- $isSentinel := eq $keda.redis.servers "sentinel" }}
- type: {{ eq $keda.redis.servers "single" | ternary "redis" (printf "redis-%s" $keda.redis.servers) }}
  name: {{ $queue }}-jobs
  metadata:
    {{ or $isCluster $isSentinel | ternary "addresses" "address" }}: {{ $keda.redis.addresses | quote }}
    # in a cluster the prefix is a hash tag, so that a queue is on one node
    listName: {{ printf ($isCluster | ternary "{%s:%s}:%s:wait" "%[1]s:%[2]s:wait") $namespace $queue $queue | quote }}
    listLength: {{ (int $keda.jobsPerReplica) | quote }}
    enableTLS: {{ $keda.redis.tls | quote }}
    {{- if $isSentinel }}
    sentinelMaster: {{ $keda.redis.sentinelMaster | quote }}
    {{- end }}
    {{- if not $isCluster }}
    databaseIndex: {{ $keda.redis.database | quote }}
    {{- end }}
  authenticationRef: { name: {{ include "quire.fullname" (index . 0) }}-queues }
{{- else }}
{{- $waiting := printf "FROM %s_queue.job WHERE queue = '%s' AND state = 'waiting'" $namespace $queue }}
{{- $unpaused := printf "NOT EXISTS (SELECT FROM %s_queue.meta WHERE queue = '%s' AND field = 'paused' AND value = '1')" $namespace $queue }}
{{- range $name, $trigger := dict
  "jobs" (list (printf "SELECT count(*) %s AND %s" $waiting $unpaused) (int $keda.jobsPerReplica))
  "age" (list (printf "SELECT coalesce(extract(epoch FROM now()) - min(added_at_ms) / 1000, 0)::bigint %s AND %s" $waiting $unpaused) (int $keda.secondsPerReplica)) }}
- type: postgresql
  name: {{ $queue }}-{{ $name }}
  metadata:
    query: {{ index $trigger 0 | quote }}
    targetQueryValue: {{ index $trigger 1 | quote }}
  authenticationRef: { name: {{ include "quire.fullname" (index $ 0) }}-queues }
{{- end }}
{{- end }}
{{- end }}
