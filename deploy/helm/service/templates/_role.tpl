{{/* The Deployment of a role and its disruption budget. */}}
{{- define "service.role" -}}
{{- $role := index .Values .component -}}
{{- $isScaled := and $role.autoscaling $role.autoscaling.enabled -}}
{{- $preStopSeconds := $role.preStopSeconds | default 0 -}}
{{- $name := printf "%s-%s" (include "service.name" .) .component -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels:
    {{- include "service.labels" . | nindent 4 }}
spec:
  {{- /* Else each upgrade would set the number that the scaling has found back. */}}
  {{- if not $isScaled }}
  replicas: {{ $role.replicas }}
  {{- else }}
  {{- /* Kubernetes takes a number that is left out for 1: scaling that is turned on would begin by ending pods. */}}
  {{- with lookup "apps/v1" "Deployment" .Release.Namespace $name }}
  replicas: {{ .spec.replicas }}
  {{- end }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "service.selector" . | nindent 6 }}
  strategy:
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  template:
    metadata:
      labels:
        {{- include "service.labels" . | nindent 8 }}
      annotations:
        prometheus.io/scrape: 'true'
        prometheus.io/port: '8080'
        prometheus.io/path: /metrics
        # Pods read the ConfigMap when they start, so a change of it starts new ones.
        checksum/settings: {{ include "service.settings" . | sha256sum }}
        {{- with .Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      {{- include "service.pod" . | nindent 6 }}
      # preStop, then server.drain_secs for handlers, then 15 s to hand runs back and stop.
      terminationGracePeriodSeconds: {{ add $preStopSeconds .Values.drainSeconds 15 }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "service.selector" . | nindent 14 }}
      containers:
        - name: {{ .component }}
          {{- include "service.container" . | nindent 10 }}
          env:
            - name: SERVICE_ROLE
              value: {{ .component }}
          envFrom:
            - configMapRef:
                name: {{ include "service.name" . }}-configuration
            - secretRef:
                name: {{ .Values.existingSecret }}
          ports:
            - name: http
              containerPort: 8080
          # The listener opens late: before that an instance waits for the database and migrates it.
          startupProbe:
            httpGet:
              path: /health/live
              port: http
            periodSeconds: 5
            failureThreshold: 60
          # Never /health, which speaks of the whole deployment: no restart of this instance would mend that.
          livenessProbe:
            httpGet:
              path: /health/live
              port: http
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 3
          readinessProbe:
            httpGet:
              path: /health/ready
              port: http
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          {{- if $preStopSeconds }}
          lifecycle:
            preStop:
              exec:
                command: [sleep, {{ $preStopSeconds | quote }}]
          {{- end }}
          resources:
            {{- toYaml $role.resources | nindent 12 }}
      {{- include "service.volumes" . | nindent 6 }}
---
# At a node's end, or its upgrade, one instance at a time goes.
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels:
    {{- include "service.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "service.selector" . | nindent 6 }}
{{- end -}}
