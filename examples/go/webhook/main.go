// A webhook, received and verified. The service must run with --allow-loopback.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

var client = http.Client{Timeout: 30 * time.Second}

type event struct {
	Type string
	Data struct{ OperationID string }
}

// verify holds a delivery to its signature by Standard Webhooks. `body` is what was sent, byte by byte: JSON that was
// read and written again has another signature.
func verify(secret string, header http.Header, body []byte) error {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return err
	}
	id, sent := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil {
		return err
	}
	// An old delivery may be one that somebody has recorded.
	if time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return errors.New("too old or too new")
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, sent, body)
	// There may be several, with spaces between them.
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		version, text, _ := strings.Cut(signature, ",")
		given, err := base64.StdEncoding.DecodeString(text)
		// hmac.Equal takes the same time wherever they differ; == would tell a forger how far he is.
		if version == "v1" && err == nil && hmac.Equal(given, mac.Sum(nil)) {
			return nil
		}
	}
	return errors.New("not signed with the secret")
}

// receive takes what is signed with the secret. Deliveries may repeat: `webhook-id` tells which one it is.
func receive(secret string, events chan<- event) http.HandlerFunc {
	return func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
		if err != nil || verify(secret, request.Header, body) != nil {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		var event event
		if err := json.Unmarshal(body, &event); err != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		response.WriteHeader(http.StatusNoContent)
		events <- event
	}
}

// call calls the service, and returns the data of its answer.
func call[T any](method, path string, body any) (data T, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return data, err
	}
	request, err := http.NewRequest(method, os.Getenv("API")+path, bytes.NewReader(text))
	if err != nil {
		return data, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", rand.Text())
	answer, err := client.Do(request)
	if err != nil {
		return data, err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= 400 {
		err = fmt.Errorf("%s: %s", answer.Status, content)
	}
	if err != nil {
		return data, err
	}
	envelope := struct{ Data *T }{&data}
	err = json.Unmarshal(content, &envelope)
	return data, err
}

func run() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	url := fmt.Sprintf("http://%s/", listener.Addr())
	endpoint, err := call[struct{ ID, Secret string }](http.MethodPost, "/webhook-endpoints", map[string]any{
		"url":    url,
		"events": []string{"operation.succeeded"},
	})
	if err != nil {
		return err
	}
	// The secret is told at creation and never again.
	events := make(chan event, 1)
	server := http.Server{Handler: receive(endpoint.Secret, events), ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	defer server.Close()

	forged, err := http.Post(url, "application/json", strings.NewReader(`{"type": "operation.succeeded"}`))
	if err != nil {
		return err
	}
	forged.Body.Close()
	if forged.StatusCode != http.StatusUnauthorized {
		return fmt.Errorf("a forged delivery was answered with %s", forged.Status)
	}

	type operation struct{ OperationID string }
	message := map[string]string{"message": "A haiku about rain"}
	made, err := call[operation](http.MethodPost, "/prompts/generate", message)
	if err != nil {
		return err
	}
	select {
	case event := <-events:
		if event.Data.OperationID != made.OperationID {
			return errors.New("an event of something else")
		}
		fmt.Println(event.Type, event.Data.OperationID)
	case <-time.After(30 * time.Second):
		return errors.New("no event came")
	}

	_, err = call[any](http.MethodDelete, "/webhook-endpoints/"+endpoint.ID, nil)
	return err
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}
